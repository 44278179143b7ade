/** One series of a document. */
export interface Series {
  readonly metric: string
  /** The sorted labels as text. */
  readonly labels: string
  readonly value: number
  /** Sum of a histogram, whose value is its count; null for others. */
  readonly sum: number | null
}

/** All metrics at one time. */
export interface Sample {
  /** Epoch seconds of the server. */
  readonly at: number
  readonly series: Series[]
  /** What only grows, for charts and tables: `requests`, `cpu 4711`, `latency 0.1` for a bucket. */
  readonly counters: Map<string, number>
  /** What rises and falls: `memory 4711`. */
  readonly gauges: Map<string, number>
}

type Labels = Readonly<Record<string, string>>

/** The key of a counter, or of a histogram without the bound of its buckets. */
const counterKeys = new Map<string, (labels: Labels) => string>([
  ['http_requests_total', () => 'requests'],
  ['http_responses_total', (labels) => 'responses ' + labels['class']],
  ['exceptions_total', () => 'exceptions'],
  ['http_bytes_read_total', () => 'read'],
  ['http_bytes_written_total', () => 'written'],
  ['process_cpu_seconds_total', (labels) => 'cpu ' + labels['pid']],
  ['runtime_event_loop_blocked_seconds_total', (labels) => 'blocked ' + labels['pid']],
  ['http_request_duration_seconds', () => 'latency'],
  ['http_server_request_duration_seconds', (labels) => 'route ' + routeName(labels)],
])

/** Gauges with the same key are added up. */
const gaugeKeys = new Map<string, (labels: Labels) => string>([
  ['http_requests_in_flight', () => 'in-flight'],
  ['process_memory_bytes', (labels) => 'memory ' + labels['pid']],
  ['process_uptime_seconds', (labels) => 'uptime ' + labels['pid']],
])

/** Of these the worst worker counts: an average would hide one that hangs. */
const worstKeys = new Map([
  ['runtime_event_loop_lag_seconds', 'lag mean'],
  ['runtime_event_loop_lag_p99_seconds', 'lag p99'],
  ['runtime_event_loop_lag_max_seconds', 'lag max'],
])

/** Parses the JSON of /metrics; null if it is something else. Invalid parts are left out. */
export function readSample(document: unknown): Sample | null {
  if (!isRecord(document)) return null
  const { timestamp, metrics } = document
  if (!isFiniteNumber(timestamp) || !isRecord(metrics)) return null
  const sample: Sample = { at: timestamp, series: [], counters: new Map(), gauges: new Map() }
  for (const [name, metric] of Object.entries(metrics)) {
    const list: unknown = isRecord(metric) ? metric['series'] : null
    if (Array.isArray(list)) for (const series of list) addSeries(sample, name, series)
  }
  return sample
}

function addSeries({ series, counters, gauges }: Sample, metric: string, given: unknown): void {
  if (!isRecord(given) || !isRecord(given['labels'])) return
  const { value, buckets, sum, count } = given
  const entries = Object.entries(given['labels']).map(
    ([name, text]) => [name, String(text)] as const,
  )
  const labels = Object.fromEntries(entries)
  const text = entries
    .map(([name, written]) => name + '=' + JSON.stringify(written))
    .sort()
    .join(', ')
  const key = counterKeys.get(metric)?.(labels)
  if (isFiniteNumber(value)) {
    series.push({ metric, labels: text, value, sum: null })
    if (key !== undefined) add(counters, key, value)
    const gauge = gaugeKeys.get(metric)?.(labels)
    if (gauge !== undefined) add(gauges, gauge, value)
    const worst = worstKeys.get(metric)
    if (worst !== undefined) gauges.set(worst, Math.max(value, gauges.get(worst) ?? value))
  } else if (isRecord(buckets) && isFiniteNumber(count) && isFiniteNumber(sum)) {
    series.push({ metric, labels: text, value: count, sum })
    if (key === undefined) return
    for (const [bound, cumulated] of Object.entries(buckets)) {
      if (isFiniteNumber(cumulated)) add(counters, key + ' ' + bound, cumulated)
    }
    if (Number(labels['http_response_status_code']) >= 500) add(counters, key + ' 5xx', count)
  }
}

function add(values: Map<string, number>, key: string, value: number): void {
  values.set(key, (values.get(key) ?? 0) + value)
}

/** Method and route as the table shows them. */
function routeName(labels: Labels): string {
  if (labels['overflow'] === 'true') return 'All other routes'
  return (labels['http_request_method'] ?? '') + ' ' + (labels['http_route'] ?? 'without a route')
}

/** Whether it is a plain record. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether it is a finite number. */
export function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value)
}
