import { unbounded } from '../buckets.ts'
import type { Metric } from '../metric.ts'
import type { SampleNames } from '../sample-names.ts'
import type { Dialect } from './exposition.ts'
import { PrometheusExporter } from './prometheus.ts'

/** The OpenMetrics 1.0 text format, which grew out of that of Prometheus. */
export class OpenMetricsExporter extends PrometheusExporter {
  override readonly contentType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
  protected override readonly dialect: Dialect = dialect
}

const dialect: Dialect = {
  head: (sample, metric, names) => {
    const { type, name } = familyOf(sample, metric, names)
    const { help } = metric
    const unit = /_(seconds|bytes)$/.exec(name)?.[1]
    return [
      `# TYPE ${name} ${type}\n`,
      unit === undefined ? '' : `# UNIT ${name} ${unit}\n`,
      help === '' ? '' : `# HELP ${name} ${escapeHelp(help)}\n`,
    ].join('')
  },
  carries: ({ type }, value) => type !== 'counter' || !Number.isNaN(value),
  bound: canonicalBound,
  exemplar: ({ value, timestamp, traceId, spanId }) =>
    ` # {trace_id="${traceId}",span_id="${spanId}"} ${value} ${timestamp}`,
  // The format forbids a sum that can decrease, and a count without a sum.
  hasSum: ([lowest = '0']) => Number(lowest) >= 0,
  end: '# EOF\n',
}

/**
 * The family name of a counter omits the `_total` suffix that its sample must have. A counter
 * without the suffix, or whose family name is taken, keeps its name and gets the type `unknown`.
 */
function familyOf(
  sample: string,
  { type }: Metric,
  names: SampleNames,
): { readonly type: Metric['type'] | 'unknown'; readonly name: string } {
  if (type !== 'counter') return { type, name: sample }
  const family = sample.replace(/_total$/, '')
  if (family === sample || family === '' || names.has(family))
    return { type: 'unknown', name: sample }
  return { type, name: family }
}

/** A bound in the format's canonical form, which is how Go formats floats: `1.0`, `1e+06`. */
function canonicalBound(bound: string): string {
  if (bound === unbounded) return bound
  const [digits = '', power = '0'] = Number(bound).toExponential().split('e')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 6) {
    const sign = exponent < 0 ? '-' : '+'
    return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  return bound.includes('.') ? bound : `${bound}.0`
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}
