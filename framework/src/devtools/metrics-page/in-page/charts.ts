/** The unit of a value, which decides how it is formatted. */
export type Unit =
  | 'per-second'
  | 'per-minute'
  | 'seconds'
  | 'bytes'
  | 'bytes-per-second'
  | 'share'
  | 'count'

/** A line of a chart: the key of its value, and its tone, which sets colour and dashes. */
export interface ChartLine {
  readonly key: string
  readonly name: string
  readonly tone: number
}

/** How the lines of a chart with several are dashed, by tone: tells them apart without colour. */
export const dashes: readonly (readonly number[])[] = [
  // Ended workers.
  [2, 4],
  [],
  [10, 4],
  [5, 3],
  [12, 3, 3, 3],
  [3, 3],
  [20, 4],
  [8, 3, 2, 3, 2, 3],
  [12, 3, 2, 3, 2, 3],
]

/** The number above a chart. */
export interface Headline {
  readonly key: string
  readonly unit: Unit
  readonly note: string
}

/** From where on the verdict calls something wrong; drawn as lines in the charts. */
export const limits = {
  /** Seconds that one request of a hundred to a route takes. */
  p99: 1,
  /** The share of responses that are 5xx; of one route twice as much. */
  failed: 0.05,
  /** The 99th percentile of the event-loop lag in seconds. */
  lag: 0.1,
} as const

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
  /** Where too much begins; with `of` as a share of another value. */
  readonly limit?: { readonly value: number; readonly of?: string }
}

/** The charts in the order they are shown. */
export const charts: readonly Chart[] = [
  single('requests', 'Request rate', { unit: 'per-second', note: 'requests', reach: 1, tone: 1 }),
  {
    id: 'latency',
    title: 'Latency',
    unit: 'seconds',
    reach: 0.001,
    headline: { key: 'p99', unit: 'seconds', note: 'p99' },
    limit: { value: limits.p99 },
    lines: linesOf({ p50: 3, p90: 2, p99: 5 }),
  },
  {
    id: 'responses',
    title: 'Status classes',
    unit: 'per-second',
    reach: 1,
    headline: { key: 'failed', unit: 'share', note: 'of responses are 5xx' },
    limit: { value: limits.failed, of: 'responses' },
    lines: linesOf({ '1xx': 8, '2xx': 3, '3xx': 1, '4xx': 2, '5xx': 5 }, 'responses '),
  },
  single('in-flight', 'Requests in flight', { unit: 'count', note: 'at once', reach: 4, tone: 4 }),
  single('exceptions', 'Exceptions', { unit: 'per-minute', note: 'reported', reach: 1, tone: 5 }),
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
    limit: { value: limits.lag },
    lines: linesOf({ mean: 6, p99: 2, max: 5 }, 'lag '),
  },
  byWorker('cpu', 'CPU', { unit: 'share', note: 'of one core, all workers', reach: 0.1 }),
  byWorker('memory', 'Memory', { unit: 'bytes', note: 'all workers', reach: 1_000_000 }),
]

type ChartOf = Pick<Chart, 'unit' | 'reach'> & Pick<Headline, 'note'>

/** A chart of the value that is its headline. */
function single(key: string, title: string, of: ChartOf & { readonly tone: number }): Chart {
  const { tone, note, ...chart } = of
  const headline = { key, unit: chart.unit, note }
  return { ...chart, id: key, title, headline, lines: [{ key, name: title, tone }] }
}

function byWorker(key: string, what: string, { note, ...chart }: ChartOf): Chart {
  const headline = { key, unit: chart.unit, note }
  return { ...chart, id: key, title: `${what} per worker`, headline, workers: `${key} ` }
}

/** Lines with their tones, whose keys begin with a prefix. */
function linesOf(tones: Readonly<Record<string, number>>, prefix: string = ''): ChartLine[] {
  return Object.entries(tones).map(([name, tone]) => ({ key: `${prefix}${name}`, name, tone }))
}
