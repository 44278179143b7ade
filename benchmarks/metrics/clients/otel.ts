import type { Counter, Histogram, Meter } from '@opentelemetry/api'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import {
  AggregationType,
  InstrumentType,
  MeterProvider,
  MetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  bounds,
  boundLabels,
  boundPair,
  counterSeries,
  durations,
  histogramSeries,
  routeLabels,
} from '../workload.ts'
import type { Work, Works } from './work.ts'

class PullReader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve()
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve()
  }
}

/** A provider of its own, so that one contest scrapes nothing of another. */
function provide(): { readonly meter: Meter; readonly scrape: () => Promise<string> } {
  const reader = new PullReader()
  const serializer = new PrometheusSerializer()
  const provider = new MeterProvider({
    readers: [reader],
    views: [
      { instrumentType: InstrumentType.COUNTER, aggregationCardinalityLimit: 20_000 },
      {
        instrumentType: InstrumentType.HISTOGRAM,
        aggregationCardinalityLimit: 20_000,
        aggregation: {
          type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM,
          options: { boundaries: [...bounds], recordMinMax: false },
        },
      },
    ],
  })
  return {
    meter: provider.getMeter('benchmark'),
    scrape: async () => serializer.serialize((await reader.collect()).resourceMetrics),
  }
}

// The package has no bound instruments: the same attributes are handed over each time.

function counterWork(attributes?: typeof boundLabels): Work {
  const { meter, scrape } = provide()
  const counter: Counter = meter.createCounter('work')
  return {
    run: (count) => {
      for (let at = 0; at < count; at++) counter.add(1, attributes)
    },
    result: async () => lastValue(await scrape(), 'work_total'),
  }
}

function histogramWork(attributes?: typeof boundPair): Work {
  const { meter, scrape } = provide()
  const histogram: Histogram = meter.createHistogram('work_seconds')
  return {
    run: (count) => {
      for (let at = 0; at < count; at++) histogram.record(durations[at & 1_023] ?? 0, attributes)
    },
    result: async () => lastValue(await scrape(), 'work_seconds_count'),
  }
}

function labelledWork(): Work {
  const { meter, scrape } = provide()
  const counter = meter.createCounter('work')
  return {
    run: (count) => {
      for (let at = 0; at < count; at++) {
        counter.add(1, { route: '/resources/5', method: 'GET', status: '200' })
      }
    },
    result: async () => lastValue(await scrape(), 'work_total'),
  }
}

function scrapeWork(fill: (meter: Meter) => void): Work {
  const { meter, scrape } = provide()
  fill(meter)
  let text = ''
  return {
    run: async (count) => {
      for (let at = 0; at < count; at++) {
        text = await scrape()
        Buffer.byteLength(text)
      }
    },
    result: () => text,
  }
}

function lastValue(exposition: string, name: string): number {
  const line = exposition.split('\n').find((one) => one.startsWith(name))
  return Number(line?.split(' ').at(-1))
}

/** The metrics of OpenTelemetry, with the exposition of its exporter for Prometheus. */
export const works: Works = {
  'bound-counter': counterWork(boundLabels),
  'plain-counter': counterWork(),
  'labelled-counter': labelledWork(),
  'bound-histogram': histogramWork(boundPair),
  'plain-histogram': histogramWork(),
  'scrape-counters': scrapeWork((meter) => {
    const requests = meter.createCounter('http_requests')
    for (let at = 0; at < counterSeries; at++) requests.add(at, routeLabels(at))
  }),
  'scrape-histograms': scrapeWork((meter) => {
    const times = meter.createHistogram('http_request_duration_seconds')
    for (let at = 0; at < histogramSeries; at++) {
      const { route, method } = routeLabels(at)
      times.record(durations[at % 1_024] ?? 0, { route, method })
    }
  }),
}
