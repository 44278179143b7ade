import { hostname } from 'node:os'
import { boundsOf, unbounded } from '../buckets.ts'
import type { Labels } from '../labels.ts'
import { finiteMetric } from '../metric.ts'
import type { HistogramSeries, Metric, ValueSeries } from '../metric.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Exporter } from './exporter.ts'

/** Options of the OTLP exporter. */
export interface OtlpOptions {
  /** The attribute `service.name`. @default 'framework' */
  readonly service?: string
  /** Name of the instrumentation scope. @default 'framework.observability' */
  readonly scope?: string
  /** The attribute `service.instance.id`, which must survive a restart. @default the host name */
  readonly instance?: string
  /** Epoch seconds when counting started; of the fleet for merged snapshots. @default process start */
  readonly start?: number
}

/** OTLP's code for counts since the start, as opposed to since the last export. */
const cumulative = 2

/** A metrics request of OTLP/HTTP in JSON; series whose value is not finite are left out. */
export class OtlpExporter implements Exporter {
  /** The `Content-Type` header of the document. */
  readonly contentType = 'application/json'
  readonly #resource: object
  readonly #scope: object
  readonly #start: string

  constructor({
    service = 'framework',
    scope = 'framework.observability',
    instance = hostname(),
    start = performance.timeOrigin / 1_000,
  }: OtlpOptions = {}) {
    const attributes = { 'service.name': service, 'service.instance.id': instance }
    this.#resource = { attributes: attributeList(attributes) }
    this.#scope = { name: scope }
    this.#start = nanoseconds(start)
  }

  /** Returns `''` when the snapshot has no timestamp. */
  export({ timestamp, metrics }: Snapshot): string {
    if (!Number.isFinite(timestamp)) return ''
    const span = { startTimeUnixNano: this.#start, timeUnixNano: nanoseconds(timestamp) }
    const list = Object.entries(metrics).flatMap(([name, metric]) => {
      const finite = finiteMetric(metric)
      if (finite.series.length === 0) return []
      return [{ name, description: metric.help, ...dataOf(finite, span) }]
    })
    const scopeMetrics = [{ scope: this.#scope, metrics: list }]
    return JSON.stringify({ resourceMetrics: [{ resource: this.#resource, scopeMetrics }] })
  }
}

interface Span {
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
}

function dataOf(metric: Metric, span: Span): object {
  if (metric.type === 'histogram') {
    const bounds = boundsOf(metric.series[0]?.buckets ?? {})
    const dataPoints = metric.series.map((one) => histogramPoint(one, bounds, span))
    return { histogram: { dataPoints, aggregationTemporality: cumulative } }
  }
  const { series } = metric
  if (metric.type === 'gauge') {
    const { timeUnixNano } = span
    return { gauge: { dataPoints: series.map((one) => valuePoint(one, { timeUnixNano })) } }
  }
  const dataPoints = series.map((one) => valuePoint(one, span))
  return { sum: { dataPoints, aggregationTemporality: cumulative, isMonotonic: true } }
}

function valuePoint({ labels, value }: ValueSeries, time: Partial<Span>): object {
  return { attributes: attributeList(labels), ...time, asDouble: value }
}

function histogramPoint(
  { labels, buckets, sum, count }: HistogramSeries,
  bounds: readonly string[],
  span: Span,
): object {
  const totals = [...bounds, unbounded].map((bound) => buckets[bound] ?? 0)
  return {
    attributes: attributeList(labels),
    ...span,
    count: String(count),
    sum,
    // OTLP buckets are not cumulative.
    bucketCounts: totals.map((total, at) => String(total - (totals[at - 1] ?? 0))),
    explicitBounds: bounds.map(Number),
  }
}

function attributeList(labels: Labels): object[] {
  return Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: value } }))
}

/** Epoch seconds as nanoseconds, exact to the microsecond; text, as they exceed safe integers. */
export function nanoseconds(seconds: number): string {
  return `${Math.round(seconds * 1e6)}000`
}
