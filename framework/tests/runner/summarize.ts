import type { Outcome } from './outcome.ts'

/** The verdict over everything that ran, and the text that says so. Its last line is the counts. */
export interface Summary {
  readonly green: boolean
  readonly text: string
}

/** Green when something ran, nothing failed and, with `skipsFail`, nothing was skipped. */
export function summarize(
  outcomes: readonly Outcome[],
  { skipsFail }: { skipsFail: boolean },
): Summary {
  const passed = outcomes.filter(({ kind }) => kind === 'passed').length
  const failed = outcomes.filter((outcome) => outcome.kind === 'failed')
  const skipped = outcomes.filter((outcome) => outcome.kind === 'skipped')
  const ran = passed + failed.length > 0
  const lines = [
    '',
    ...failed.map(({ where, reason }) => `FAILED ${where}\n       ${reason}`),
    ...skipped.map(({ where, reason }) => `SKIPPED ${where}\n        ${reason}`),
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
