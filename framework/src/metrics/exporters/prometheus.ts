import type { Snapshot } from '../snapshot.ts'
import type { Exporter } from './exporter.ts'
import { expose } from './exposition.ts'
import type { Dialect } from './exposition.ts'
import { namespacePrefix } from '../metric-name.ts'

/** Options of the Prometheus and OpenMetrics exporters. */
export interface ExpositionOptions {
  /** Prefix of every metric name, joined with an underscore. @default '' */
  readonly namespace?: string
}

/** The Prometheus text exposition format, version 0.0.4. */
export class PrometheusExporter implements Exporter {
  /** The `Content-Type` header of the document. */
  readonly contentType: string = 'text/plain; version=0.0.4; charset=utf-8'
  protected readonly dialect: Dialect = dialect
  readonly #prefix: string

  /** @throws InvalidArgumentException (E_METRIC_NAME) for an invalid namespace. */
  constructor({ namespace = '' }: ExpositionOptions = {}) {
    this.#prefix = namespacePrefix(namespace)
  }

  export(snapshot: Snapshot): string {
    let text = ''
    for (const chunk of this.chunks(snapshot)) text += chunk
    return text
  }

  /** The same text in chunks of about 2,000 lines, generated on demand. */
  chunks(snapshot: Snapshot): Generator<string> {
    return expose(snapshot, this.#prefix, this.dialect)
  }
}

const dialect: Dialect = {
  head: (name, { type, help }) => {
    const line = help === '' ? '' : `# HELP ${name} ${escapeHelp(help)}\n`
    return `${line}# TYPE ${name} ${type}\n`
  },
  carries: () => true,
  bound: (bound) => bound,
  exemplar: () => '',
  hasSum: () => true,
  end: '',
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
