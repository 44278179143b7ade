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
  /** What test files used of the CPU, in milliseconds, as far as known. */
  readonly cpuMs: ReadonlyMap<string, number>
}

/** Passes when something ran, nothing failed and, with `skipsFail`, nothing was skipped. */
export function summarize(
  outcomes: readonly Outcome[],
  { skipsFail, missing, cpuMs }: SummaryOptions,
): Summary {
  const passed = outcomes.filter(({ kind }) => kind === 'passed').length
  const failed = outcomes.filter((outcome) => outcome.kind === 'failed')
  const skipped = outcomes.filter((outcome) => outcome.kind === 'skipped')
  const ran = passed + failed.length > 0
  const lines = [
    '',
    ...slowest(outcomes, cpuMs),
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

/** The files that use the CPU most, or take longest where that is unknown, if there are more than fifteen. */
function slowest(outcomes: readonly Outcome[], cpuMs: ReadonlyMap<string, number>): string[] {
  const timed = outcomes
    .filter((outcome) => outcome.kind === 'timed')
    .map(({ file, durationMs }) => ({ file, durationMs, usedMs: cpuMs.get(file) ?? durationMs }))
  if (timed.length <= 15) return []
  const first = timed.toSorted((one, other) => other.usedMs - one.usedMs).slice(0, 15)
  const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(7)
  const lines = first.map(
    ({ file, durationMs, usedMs }) => `${seconds(usedMs)} s ${seconds(durationMs)} s  ${file}`,
  )
  const totalMs = [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0)
  return [
    '    CPU    taken',
    ...lines,
    `${seconds(totalMs)} s of the CPU in ${cpuMs.size} files`,
    '',
  ]
}
