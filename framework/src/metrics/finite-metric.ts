import type { Metric } from './metric.ts'

/** The metric without series that are NaN or infinite, which would spoil every sum. */
export function finiteMetric(metric: Metric): Metric {
  if (metric.type === 'histogram') {
    if (metric.series.every(({ sum }) => Number.isFinite(sum))) return metric
    return { ...metric, series: metric.series.filter(({ sum }) => Number.isFinite(sum)) }
  }
  if (metric.series.every(({ value }) => Number.isFinite(value))) return metric
  return { ...metric, series: metric.series.filter(({ value }) => Number.isFinite(value)) }
}
