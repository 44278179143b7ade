import { exactNumber } from './series-rows.ts'
import { formatDuration } from './format-value.ts'
import { seriesOf } from './sample.ts'
import type { Sample } from './sample.ts'

/** Numbers shown as text at the top; a dash if not measured. */
export interface Facts {
  readonly workers: string
  /** How long the oldest worker has run. */
  readonly uptime: string
  readonly requests: string
  readonly exceptions: string
}

export function factsOf(sample: Sample): Facts {
  const uptimes = seriesOf(sample, 'process_uptime_seconds').map(({ value }) => value)
  return {
    workers: uptimes.length === 0 ? '–' : exactNumber(uptimes.length),
    uptime: uptimes.length === 0 ? '–' : formatDuration(Math.max(...uptimes)),
    requests: totalText(sample, 'http_requests_total'),
    exceptions: totalText(sample, 'exceptions_total'),
  }
}

/** The sum of all series of a counter. */
export function totalText(sample: Sample, name: string): string {
  const series = seriesOf(sample, name)
  if (series.length === 0) return '–'
  return exactNumber(series.reduce((total, { value }) => total + value, 0))
}
