import { unbounded } from '../buckets.ts'
import type { Metric } from '../metric.ts'
import type { SampleNames } from '../sample-names.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Exporter } from './exporter.ts'
import { expose } from './exposition.ts'
import type { Dialect } from './exposition.ts'
import { prefixOf } from './namespace.ts'
import type { ExpositionOptions } from './prometheus.ts'

/** The OpenMetrics 1.0 text format. */
export class OpenMetricsExporter implements Exporter {
  /** The `Content-Type` to send it with. */
  readonly contentType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
  readonly #prefix: string

  /** @throws InvalidArgumentException (E_METRIC_NAME) for a namespace that cannot begin a name. */
  constructor({ namespace = '' }: ExpositionOptions = {}) {
    this.#prefix = prefixOf(namespace)
  }

  export(snapshot: Snapshot): string {
    let text = ''
    for (const chunk of this.chunks(snapshot)) text += chunk
    return text
  }

  /** The same text in pieces of about 2,000 lines, each made when it is asked for. */
  chunks(snapshot: Snapshot): Generator<string> {
    return expose(snapshot, this.#prefix, dialect)
  }
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
  // A sum that can fall is not allowed, and a count goes only with a sum.
  hasSum: ([lowest = '0']) => Number(lowest) >= 0,
  end: '# EOF\n',
}

/**
 * The family of a counter is named without the `_total` that its sample must have. One that is not
 * named so, or whose family would have a name that is taken, keeps the name it has everywhere else,
 * and is of no type that the format knows.
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

/** A bound as Go writes floats, which is what the format calls canonical: `1.0`, `1e+06`. */
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
