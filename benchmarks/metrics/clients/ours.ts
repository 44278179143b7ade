import { Emitter } from '../../../framework/dist/public/events.js'
import {
  type Request,
  type Response,
  Server,
  Telemetry,
} from '../../../framework/dist/public/http.js'
import {
  Counter,
  Exporters,
  Histogram,
  Observability,
} from '../../../framework/dist/public/observability.js'
import { RequestChannels } from '../../../framework/dist/http/server/handle-request.js'
import {
  boundLabels,
  boundPair,
  counterSeries,
  durations,
  histogramSeries,
  routeLabels,
} from '../workload.ts'
import type { Works } from './work.ts'

const cap = 20_000
const prometheus = new Exporters.Prometheus()

const bound = new Counter('bound_total', { help: 'Bound.' }).with(boundLabels)
const plain = new Counter('plain_total', { help: 'Plain.' })
const labelled = new Counter('labelled_total', { help: 'Labelled.' })
const boundHistogram = new Histogram('bound_seconds', { help: 'Bound.' }).with(boundPair)
const plainHistogram = new Histogram('plain_seconds', { help: 'Plain.' })

const counters = new Observability(false)
const requests = new Counter('http_requests_total', { help: 'Requests.', cap })
for (let at = 0; at < counterSeries; at++) requests.with(routeLabels(at)).increment(at)
counters.metrics.push(requests)

const histograms = new Observability(false)
const times = new Histogram('http_request_duration_seconds', { help: 'Durations.', cap })
for (let at = 0; at < histogramSeries; at++) {
  const { route, method } = routeLabels(at)
  times.with({ route, method }).observe(durations[at % 1_024] ?? 0)
}
histograms.metrics.push(times)

const bus = new Emitter()
const telemetry = new Observability(false)
new Telemetry(telemetry, { emitter: bus }).boot()
const channels = new RequestChannels(bus)
const [request, response] = await anExchange()

let text = ''

/** Our own instruments and exposition. */
export const works: Works = {
  'bound-counter': {
    run: (count) => {
      for (let at = 0; at < count; at++) bound.increment()
    },
    result: () => bound.read().value,
  },
  'plain-counter': {
    run: (count) => {
      for (let at = 0; at < count; at++) plain.increment()
    },
    result: () => plain.read().value,
  },
  'labelled-counter': {
    run: (count) => {
      for (let at = 0; at < count; at++) {
        labelled.with({ route: '/resources/5', method: 'GET', status: '200' }).increment()
      }
    },
    result: () => labelled.with(boundLabels).read().value,
  },
  'bound-histogram': {
    run: (count) => {
      for (let at = 0; at < count; at++) boundHistogram.observe(durations[at & 1_023] ?? 0)
    },
    result: () => boundHistogram.read().count,
  },
  'plain-histogram': {
    run: (count) => {
      for (let at = 0; at < count; at++) plainHistogram.observe(durations[at & 1_023] ?? 0)
    },
    result: () => plainHistogram.read().count,
  },
  'scrape-counters': {
    run: (count) => {
      for (let at = 0; at < count; at++) text = sent(counters.export(prometheus))
    },
    result: () => text,
  },
  'scrape-histograms': {
    run: (count) => {
      for (let at = 0; at < count; at++) text = sent(histograms.export(prometheus))
    },
    result: () => text,
  },
  // As the server tells its listeners; that is part of the price.
  'request-telemetry': {
    run: (count) => {
      for (let at = 0; at < count; at++) {
        channels.received(request)
        channels.handled(request, response)
      }
    },
    result: () => histogramCount(telemetry),
  },
}

// A text that is put together lazily costs when it is sent; all of them pay for it here.
function sent(exposition: string): string {
  Buffer.byteLength(exposition)
  return exposition
}

/** A request and a response as the server makes them. */
async function anExchange(): Promise<[Request, Response]> {
  const { promise, resolve } = Promise.withResolvers<[Request, Response]>()
  const server = new Server().configure({ host: '127.0.0.1', port: 0 })
  server.router.get('/', (request, response) => {
    resolve([request, response])
    return response.text('')
  })
  await server.inject({ url: '/' })
  return promise
}

function histogramCount(registry: Observability): number {
  const [series] = registry.gather().metrics['http_request_duration_seconds']?.series ?? []
  return series !== undefined && 'count' in series ? series.count : NaN
}
