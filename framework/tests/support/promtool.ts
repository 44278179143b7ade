import { spawnSync } from 'node:child_process'
import { findPrometheusProgram } from './prometheus-programs.ts'
import { programMissing } from './test-programs.ts'

/** The command-line checker of Prometheus. */
export interface Promtool {
  /** Why tests that need it are skipped; false when they are not. */
  readonly skip: string | false
  /** Its output for these arguments and this input; empty if it finds no problems. */
  run(words: readonly string[], input?: string): string
}

/** The system's promtool, or the one named by PROMTOOL. */
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
