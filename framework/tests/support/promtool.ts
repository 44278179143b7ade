import { spawnSync } from 'node:child_process'
import { findPrometheusProgram } from './prometheus-programs.ts'
import { programMissing } from './test-programs.ts'

/** The tool of Prometheus that checks what is written for it. */
export interface Promtool {
  /** Why tests that need it are skipped; false when they are not. */
  readonly skip: string | false
  /** What it says to these words and this input; empty when it finds no fault. */
  run(words: readonly string[], input?: string): string
}

/** The promtool of the system, or the one that PROMTOOL names. */
export function findPromtool(): Promtool {
  const program = findPrometheusProgram('promtool')
  return {
    skip: program === null && programMissing('promtool'),
    run(words, input = '') {
      const { status, stdout, stderr, error } = spawnSync(program ?? '', words, {
        input,
        encoding: 'utf8',
        maxBuffer: 64 * 1_024 * 1_024,
      })
      if (error !== undefined) throw error
      return status === 0 ? '' : `status ${status}: ${stdout}${stderr}`
    },
  }
}
