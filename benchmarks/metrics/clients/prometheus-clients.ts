import {
  bounds,
  boundLabels,
  boundPair,
  counterSeries,
  durations,
  histogramSeries,
  routeLabels,
} from '../workload.ts'
import type { Works } from './work.ts'

type Values = Readonly<Record<string, string>>

interface Config<Own> {
  readonly name: string
  readonly help: string
  readonly labelNames: string[]
  readonly registers: Own[]
}

interface Registry {
  metrics(): Promise<string>
}

interface Read {
  get(): Promise<{ readonly values: readonly { readonly value: number }[] }>
}

interface Counter extends Read {
  inc(): void
  inc(labels: Values, by?: number): void
  labels(labels: Values): { inc(): void }
}

interface Histogram extends Read {
  observe(value: number): void
  observe(labels: Values, value: number): void
  labels(labels: Values): { observe(value: number): void }
}

/** What both packages export, as far as it is used: one is the successor of the other. */
interface Package<Own> {
  readonly Counter: new (config: Config<Own>) => Counter
  readonly Histogram: new (config: Config<Own> & { buckets: number[] }) => Histogram
  readonly Registry: new () => Own
}

/** prom-client, or the package that follows it. */
export function promWorks<Own extends Registry>(client: Package<Own>): Works {
  const registers = [new client.Registry()]
  const labelNames = ['route', 'method', 'status']
  const pair = ['route', 'method']
  const counter = (name: string, names: readonly string[]): Counter =>
    new client.Counter({ name, help: name, labelNames: [...names], registers })
  const histogram = (name: string, names: readonly string[]): Histogram =>
    new client.Histogram({
      name,
      help: name,
      labelNames: [...names],
      registers,
      buckets: [...bounds],
    })

  const boundFamily = counter('bound_total', labelNames)
  const bound = boundFamily.labels(boundLabels)
  const plain = counter('plain_total', [])
  const labelled = counter('labelled_total', labelNames)
  const boundHistogramFamily = histogram('bound_seconds', pair)
  const boundHistogram = boundHistogramFamily.labels(boundPair)
  const plainHistogram = histogram('plain_seconds', [])

  const counters = new client.Registry()
  const requests = new client.Counter({
    name: 'http_requests_total',
    help: 'Requests.',
    labelNames,
    registers: [counters],
  })
  for (let at = 0; at < counterSeries; at++) requests.inc(routeLabels(at), at)

  const histograms = new client.Registry()
  const times = new client.Histogram({
    name: 'http_request_duration_seconds',
    help: 'Durations.',
    labelNames: pair,
    registers: [histograms],
    buckets: [...bounds],
  })
  for (let at = 0; at < histogramSeries; at++) {
    const { route, method } = routeLabels(at)
    times.observe({ route, method }, durations[at % 1_024] ?? 0)
  }

  let text = ''
  return {
    'bound-counter': {
      run: (count) => {
        for (let at = 0; at < count; at++) bound.inc()
      },
      result: async () => (await boundFamily.get()).values[0]?.value ?? NaN,
    },
    'plain-counter': {
      run: (count) => {
        for (let at = 0; at < count; at++) plain.inc()
      },
      result: async () => (await plain.get()).values[0]?.value ?? NaN,
    },
    'labelled-counter': {
      run: (count) => {
        for (let at = 0; at < count; at++) {
          labelled.inc({ route: '/resources/5', method: 'GET', status: '200' })
        }
      },
      result: async () => (await labelled.get()).values[0]?.value ?? NaN,
    },
    'bound-histogram': {
      run: (count) => {
        for (let at = 0; at < count; at++) boundHistogram.observe(durations[at & 1_023] ?? 0)
      },
      result: async () => (await boundHistogramFamily.get()).values.at(-1)?.value ?? NaN,
    },
    'plain-histogram': {
      run: (count) => {
        for (let at = 0; at < count; at++) plainHistogram.observe(durations[at & 1_023] ?? 0)
      },
      result: async () => (await plainHistogram.get()).values.at(-1)?.value ?? NaN,
    },
    'scrape-counters': {
      run: async (count) => {
        for (let at = 0; at < count; at++) text = sent(await counters.metrics())
      },
      result: () => text,
    },
    'scrape-histograms': {
      run: async (count) => {
        for (let at = 0; at < count; at++) text = sent(await histograms.metrics())
      },
      result: () => text,
    },
  }
}

function sent(exposition: string): string {
  Buffer.byteLength(exposition)
  return exposition
}
