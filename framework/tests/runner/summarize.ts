import type { Outcome } from './outcome.ts'

/** The overall result and its text. The last line has the counts. */
export interface Summary {
  readonly green: boolean
  readonly text: string
}

/** Input of the summary. */
export interface SummaryOptions {
  readonly skipsFail: boolean
  /** Programs missing on this machine, whose tests were skipped. */
  readonly missing: readonly string[]
}

/** Passes when something ran, nothing failed and, with `skipsFail`, nothing was skipped. */
export function summarize(
  outcomes: readonly Outcome[],
  { skipsFail, missing }: SummaryOptions,
): Summary {
  const passed = outcomes.filter(({ kind }) => kind === 'passed').length
  const failed = outcomes.filter((outcome) => outcome.kind === 'failed')
  const skipped = outcomes.filter((outcome) => outcome.kind === 'skipped')
  const ran = passed + failed.length > 0
  const lines = [
    '',
    ...slowest(outcomes),
    ...failed.map(({ where, reason }) => `FAILED ${where}\n       ${reason}`),
    ...skipped.map(({ where, reason }) => `SKIPPED ${where}\n        ${reason}`),
    ...(missing.length > 0 ? [`MISSING ${missing.join(', ')}: see the top for why`] : []),
    ...(ran ? [] : ['NOTHING RAN: no test file fits']),
    ...(skipsFail && skipped.length > 0
      ? ['Skips count as failures here (FRAMEWORK_NO_SKIPS=1)']
      : []),
    `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`,
  ]
  return {
    green: ran && failed.length === 0 && !(skipsFail && skipped.length > 0),
    text: lines.join('\n'),
  }
}

/** The ten slowest files, if there are more than ten. */
function slowest(outcomes: readonly Outcome[]): string[] {
  const timed = outcomes.filter((outcome) => outcome.kind === 'timed')
  if (timed.length <= 10) return []
  const first = timed.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, 10)
  const lines = first.map(({ file, durationMs }) => {
    const seconds = (durationMs / 1000).toFixed(1)
    return `${seconds.padStart(7)} s  ${file}`
  })
  return ['The slowest files:', ...lines, '']
}
