import { boundsOf, unbounded } from '../buckets.ts'
import { keptParts } from '../exact-sum.ts'
import { labelJson } from '../labels.ts'
import type { HistogramMetric, Metric, ValueMetric } from '../metric.ts'
import type { Snapshot } from '../snapshot.ts'
import { exemplarsText } from './exemplars-text.ts'
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
      const series = seriesTexts(metric, this.#exact)
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
  const texts: string[] = []
  for (const one of series) {
    const { labels, value } = one
    if (!Number.isFinite(value)) continue
    const parts = exact ? partsText(one) : ''
    texts.push(`{"labels":${labelJson(labels)},"value":${value}${parts}}`)
  }
  return texts
}

function histogramTexts({ series }: HistogramMetric, exact: boolean): string[] {
  const texts: string[] = []
  const bounds = [...boundsOf(series[0]?.buckets ?? {}), unbounded]
  for (const one of series) {
    const { labels, buckets, sum, count } = one
    if (!Number.isFinite(sum)) continue
    const counts = bounds.map((bound) => `"${bound}":${buckets[bound] ?? 0}`).join(',')
    const parts = (exact ? partsText(one) : '') + exemplarsText(one.exemplars)
    texts.push(
      `{"labels":${labelJson(labels)},"buckets":{${counts}},"sum":${sum},"count":${count}${parts}}`,
    )
  }
  return texts
}

function partsText(series: object): string {
  const parts = keptParts(series)
  return parts === null ? '' : `,"parts":${JSON.stringify(parts)}`
}
