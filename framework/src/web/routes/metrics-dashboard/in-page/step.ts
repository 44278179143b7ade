import { addCounts, bucketIncreases, increases } from './increase.ts'
import type { Sample } from './sample.ts'

/** What happened between two samples. */
export interface Step {
  readonly seconds: number
  /** Growth by what the dashboard calls it; without what is not measured. */
  readonly grown: ReadonlyMap<string, number>
  /** Durations of the requests that ended, cumulative by upper bound. */
  readonly durations: ReadonlyMap<string, number>
}

/** The step from one sample to a later one. */
export function stepOf(before: Sample, after: Sample): Step {
  const counters = [
    { key: 'requests', name: 'http_requests_total', label: '' },
    { key: 'responses', name: 'http_responses_total', label: 'class' },
    { key: 'exceptions', name: 'exceptions_total', label: '' },
    { key: 'read', name: 'http_bytes_read_total', label: '' },
    { key: 'written', name: 'http_bytes_written_total', label: '' },
    { key: 'cpu', name: 'process_cpu_seconds_total', label: 'pid' },
  ]
  const grown = new Map<string, number>()
  for (const { key, name, label } of counters) {
    for (const [group, count] of increases(before, after, name, label)) {
      grown.set(label === '' ? key : key + ' ' + group, count)
    }
  }
  const durations = bucketIncreases(before, after, 'http_request_duration_seconds')
  return { seconds: after.at - before.at, grown, durations }
}

/** The last steps that together last at least `seconds`, or all there are. */
export function lastSteps(steps: readonly Step[], seconds: number): readonly Step[] {
  let lasted = 0
  for (let at = steps.length - 1; at > 0; at -= 1) {
    lasted += steps[at]?.seconds ?? 0
    // A millisecond less will do: times come with rounding errors.
    if (lasted >= seconds - 0.001) return steps.slice(at)
  }
  return steps
}

/** Growth per second over steps, for all that grew in the last one. */
export function ratesOf(steps: readonly Step[]): Map<string, number> {
  const rates = new Map<string, number>()
  for (const key of steps.at(-1)?.grown.keys() ?? []) {
    // Those of a worker begin with its own first step.
    const counted = steps.filter(({ grown }) => grown.has(key))
    const seconds = counted.reduce((total, step) => total + step.seconds, 0)
    const growth = counted.reduce((total, { grown }) => total + (grown.get(key) ?? 0), 0)
    if (seconds > 0) rates.set(key, growth / seconds)
  }
  return rates
}

/** The durations of several steps as one histogram. */
export function durationsOf(steps: readonly Step[]): Map<string, number> {
  const durations = new Map<string, number>()
  for (const step of steps) addCounts(durations, step.durations)
  return durations
}
