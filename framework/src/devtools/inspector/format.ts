import { StepKinds } from '../../activity/step.ts'
import type { RecordedPhase } from './activity-record.ts'

/** A duration with three digits at most: `0.04 ms`, `0.4 ms`, `12 ms`, `1.25 s`. */
export function durationText(ms: number): string {
  if (ms >= 9_995) return `${(ms / 1_000).toFixed(1)} s`
  if (ms >= 999.5) return `${(ms / 1_000).toFixed(2)} s`
  if (ms >= 9.95) return `${Math.round(ms)} ms`
  return `${ms.toFixed(ms < 0.095 ? 2 : 1)} ms`
}

/** A time of day on this machine, to the second. */
export function timeText(epoch: number): string {
  return new Date(epoch * 1_000).toTimeString().slice(0, 8)
}

/** A number with its noun: `1 query`, `3 queries`. */
export function countText(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

/** How the status of an activity is shown. */
export function toneOf({ status, failed }: { status: string; failed: boolean }): string {
  if (failed) return 'bad'
  return /^4\d\d$/.test(status) || status === 'gone' ? 'odd' : 'good'
}

/** What a kind of step is called; one that is not listed is called what it is. */
export function kindTitle(kind: string): string {
  return kindTitles.get(kind) ?? kind
}

const kindTitles: ReadonlyMap<string, string> = new Map([
  [StepKinds.Sql, 'SQL'],
  [StepKinds.Redis, 'Redis'],
  [StepKinds.Push, 'job'],
])

/** From how long on one step is worth a look. */
const slowMs = 100
const leafKinds: ReadonlySet<string> = new Set(
  Object.values(StepKinds).filter((kind) => kind !== StepKinds.Span),
)

/** Whether a step took long; phases and spans consist of others. */
export function isSlow({ kind, durationMs }: RecordedPhase): boolean {
  return durationMs >= slowMs && leafKinds.has(kind)
}
