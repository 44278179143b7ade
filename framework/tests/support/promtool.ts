import { spawnSync } from 'node:child_process'
import { findProgram } from './prometheus-programs.ts'

/** The tool of Prometheus that checks what is written for it. */
export interface Promtool {
  /** Why tests that need it are skipped; false when they are not. */
  readonly skip: string | false
  /** What `promtool check metrics` says about an exposition; empty when it finds no fault. */
  check(exposition: string): string
}

/**
 * The promtool of the environment variable PROMTOOL, else one on the PATH, else the one of the
 * system's packages, which is installed if that can be done.
 */
export function findPromtool(): Promtool {
  const { program, reason } = findProgram('promtool', 'PROMTOOL')
  return {
    skip: program === null && reason,
    check(exposition) {
      const { status, stdout, stderr, error } = spawnSync(program ?? '', ['check', 'metrics'], {
        input: exposition,
        encoding: 'utf8',
        maxBuffer: 64 * 1_024 * 1_024,
      })
      if (error !== undefined) throw error
      return status === 0 ? '' : `status ${status}: ${stdout}${stderr}`
    },
  }
}
