import { boundsOf, unbounded } from '../buckets.ts'
import { keptParts } from '../exact-sum.ts'
import { labelJson } from '../labels.ts'
import { finiteMetric } from '../metric.ts'
import type { Exemplars, HistogramMetric, Metric, ValueMetric } from '../metric.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Exporter } from './exporter.ts'

/** Options of the JSON exporter. */
export interface JsonOptions {
  /** Leave out series with a non-finite value, instead of returning `''`. @default false */
  readonly skipNonFinite?: boolean
  /**
   * Also write the exact sums of merged series, as `parts`, so that merging the document with others
   * rounds only once.
   * @default false
   */
  readonly exactSums?: boolean
}

/** The document `{ timestamp, metrics }` and a newline: the format of the workers' snapshot files. */
export class JsonExporter implements Exporter {
  /** The `Content-Type` to send it with. */
  readonly contentType = 'application/json'
  readonly #skip: boolean
  readonly #exact: boolean

  constructor({ skipNonFinite = false, exactSums = false }: JsonOptions = {}) {
    this.#skip = skipNonFinite
    this.#exact = exactSums
  }

  /** Returns `''` when a value is NaN or infinite. */
  export({ timestamp, metrics }: Snapshot): string {
    const texts: string[] = []
    let complete = Number.isFinite(timestamp)
    for (const [name, metric] of Object.entries(metrics)) {
      const series = seriesTexts(finiteMetric(metric), this.#exact)
      if (series.length < metric.series.length) complete &&= this.#skip
      if (series.length > 0)
        texts.push(`${JSON.stringify(name)}:${metricHead(metric)}${series.join(',')}]}`)
    }
    return complete ? `{"timestamp":${timestamp},"metrics":{${texts.join(',')}}}\n` : ''
  }
}

/** The opening of a metric, up to its series. */
function metricHead(metric: Metric): string {
  const merge = 'merge' in metric ? `"merge":${JSON.stringify(metric.merge)},` : ''
  return `{"type":"${metric.type}","help":${JSON.stringify(metric.help)},${merge}"series":[`
}

function seriesTexts(metric: Metric, exact: boolean): string[] {
  return metric.type === 'histogram' ? histogramTexts(metric, exact) : valueTexts(metric, exact)
}

function valueTexts({ series }: ValueMetric, exact: boolean): string[] {
  return series.map((one) => {
    const parts = exact ? partsText(one) : ''
    return `{"labels":${labelJson(one.labels)},"value":${one.value}${parts}}`
  })
}

function histogramTexts({ series }: HistogramMetric, exact: boolean): string[] {
  const bounds = [...boundsOf(series[0]?.buckets ?? {}), unbounded]
  return series.map((one) => {
    const { buckets, sum, count } = one
    const labels = labelJson(one.labels)
    const counts = bounds.map((bound) => `"${bound}":${buckets[bound] ?? 0}`).join(',')
    const parts = (exact ? partsText(one) : '') + exemplarsText(one.exemplars)
    return `{"labels":${labels},"buckets":{${counts}},"sum":${sum},"count":${count}${parts}}`
  })
}

function partsText(series: object): string {
  const parts = keptParts(series)
  return parts === null ? '' : `,"parts":${JSON.stringify(parts)}`
}

/** Exemplars as a member of a series; empty without any. */
function exemplarsText(exemplars: Exemplars | undefined): string {
  if (exemplars === undefined) return ''
  const lists = Object.entries(exemplars).map(
    ([bound, { value, timestamp, traceId, spanId }]) =>
      `["${bound}",${value},${timestamp},"${traceId}","${spanId}"]`,
  )
  return `,"exemplars":[${lists.join(',')}]`
}
