/** The unit of a value, which decides how it is formatted. */
export type Unit =
  | 'per-second'
  | 'per-minute'
  | 'seconds'
  | 'bytes'
  | 'bytes-per-second'
  | 'share'
  | 'count'

/** A line of a chart: the key of its value, and its tone, which sets colour and marks. */
export interface ChartLine {
  readonly key: string
  readonly name: string
  readonly tone: number
}

/** The number above a chart. */
export interface Headline {
  readonly key: string
  readonly unit: Unit
  readonly note: string
}

/** A chart of the dashboard. Keys are those of `pointOf`. */
export interface Chart {
  readonly id: string
  readonly title: string
  readonly unit: Unit
  /** Minimum of the axis maximum, so that noise near zero is not magnified. */
  readonly reach: number
  readonly headline: Headline
  /** Fixed lines; without them there is one line per worker. */
  readonly lines?: readonly ChartLine[]
  /** Key prefix of the workers' lines. */
  readonly workers?: string
}

/** The charts in the order they are shown. */
export const charts: readonly Chart[] = [
  {
    id: 'requests',
    title: 'Request rate',
    unit: 'per-second',
    reach: 1,
    headline: { key: 'requests', unit: 'per-second', note: 'requests' },
    lines: [{ key: 'requests', name: 'Requests', tone: 1 }],
  },
  {
    id: 'latency',
    title: 'Latency',
    unit: 'seconds',
    reach: 0.001,
    headline: { key: 'p99', unit: 'seconds', note: 'p99' },
    lines: [
      { key: 'p50', name: 'p50', tone: 3 },
      { key: 'p90', name: 'p90', tone: 2 },
      { key: 'p99', name: 'p99', tone: 5 },
    ],
  },
  {
    id: 'responses',
    title: 'Status classes',
    unit: 'per-second',
    reach: 1,
    headline: { key: 'failed', unit: 'share', note: 'of responses are 5xx' },
    lines: [
      { key: 'responses 1xx', name: '1xx', tone: 8 },
      { key: 'responses 2xx', name: '2xx', tone: 3 },
      { key: 'responses 3xx', name: '3xx', tone: 1 },
      { key: 'responses 4xx', name: '4xx', tone: 2 },
      { key: 'responses 5xx', name: '5xx', tone: 5 },
    ],
  },
  {
    id: 'in-flight',
    title: 'Requests in flight',
    unit: 'count',
    reach: 4,
    headline: { key: 'in-flight', unit: 'count', note: 'at once' },
    lines: [{ key: 'in-flight', name: 'In flight', tone: 4 }],
  },
  {
    id: 'exceptions',
    title: 'Exceptions',
    unit: 'per-minute',
    reach: 1,
    headline: { key: 'exceptions', unit: 'per-minute', note: 'reported' },
    lines: [{ key: 'exceptions', name: 'Exceptions', tone: 5 }],
  },
  {
    id: 'traffic',
    title: 'Bytes in and out',
    unit: 'bytes-per-second',
    reach: 1_000,
    headline: { key: 'written', unit: 'bytes-per-second', note: 'out' },
    lines: [
      { key: 'read', name: 'In', tone: 6 },
      { key: 'written', name: 'Out', tone: 4 },
    ],
  },
  {
    id: 'lag',
    title: 'Event-loop lag',
    unit: 'seconds',
    reach: 0.001,
    headline: { key: 'lag p99', unit: 'seconds', note: 'p99, worst worker' },
    lines: [
      { key: 'lag mean', name: 'Mean', tone: 6 },
      { key: 'lag p99', name: 'p99', tone: 2 },
      { key: 'lag max', name: 'Longest', tone: 5 },
    ],
  },
  {
    id: 'cpu',
    title: 'CPU per worker',
    unit: 'share',
    reach: 0.1,
    headline: { key: 'cpu', unit: 'share', note: 'of one core, all workers' },
    workers: 'cpu ',
  },
  {
    id: 'memory',
    title: 'Memory per worker',
    unit: 'bytes',
    reach: 1_000_000,
    headline: { key: 'memory', unit: 'bytes', note: 'all workers' },
    workers: 'memory ',
  },
]
