/** One series of a sample. The value of a histogram is its count. */
export interface Series {
  /** The sorted labels as text, which identify a series of a metric. */
  readonly key: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
  /** Sum of a histogram, 0 for others. */
  readonly sum: number
  /** Cumulative counts by upper bound; null unless it is a histogram. */
  readonly buckets: ReadonlyMap<string, number> | null
}

/** All metrics at one time, in epoch seconds of the server. */
export interface Sample {
  readonly at: number
  readonly metrics: ReadonlyMap<string, readonly Series[]>
}

/** Parses the JSON of /metrics; null if it is something else. Invalid parts are left out. */
export function readSample(document: unknown): Sample | null {
  if (!isRecord(document)) return null
  const { timestamp, metrics } = document
  if (!isFiniteNumber(timestamp) || !isRecord(metrics)) return null
  const read = new Map<string, readonly Series[]>()
  for (const [name, metric] of Object.entries(metrics)) {
    const list: unknown = isRecord(metric) ? metric['series'] : null
    const series = Array.isArray(list) ? list.flatMap(readSeries) : []
    if (series.length > 0) read.set(name, series)
  }
  return { at: timestamp, metrics: read }
}

/** The series of a metric; empty if it does not exist. */
export function seriesOf(sample: Sample, name: string): readonly Series[] {
  return sample.metrics.get(name) ?? []
}

/** An array with the series, or an empty one. */
export function readSeries(given: unknown): Series[] {
  if (!isRecord(given) || !isRecord(given['labels'])) return []
  const labels = new Map(
    Object.entries(given['labels'])
      .map(([name, value]): [string, string] => [name, String(value)])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
  const key = [...labels].map(([name, value]) => name + '=' + JSON.stringify(value)).join(', ')
  const { value, buckets, sum, count } = given
  if (isFiniteNumber(value)) return [{ key, labels, value, sum: 0, buckets: null }]
  if (!isRecord(buckets) || !isFiniteNumber(count) || !isFiniteNumber(sum)) return []
  const counts = new Map<string, number>()
  for (const [bound, cumulated] of Object.entries(buckets)) {
    if (isFiniteNumber(cumulated)) counts.set(bound, cumulated)
  }
  return [{ key, labels, value: count, sum, buckets: counts }]
}

/** Whether it is a plain record. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether it is a finite number. */
export function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value)
}
