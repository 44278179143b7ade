import type { Snapshot } from '../snapshot.ts'
import type { Exporter } from './exporter.ts'
import { expose } from './exposition.ts'
import type { Dialect } from './exposition.ts'
import { prefixOf } from './namespace.ts'

/** Options of the exporters of text expositions. */
export interface ExpositionOptions {
  /** Put in front of every metric name, with an underscore between them; none unless given. */
  readonly namespace?: string
}

/** The text exposition that Prometheus scrapes, version 0.0.4. */
export class PrometheusExporter implements Exporter {
  /** The `Content-Type` to send it with. */
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8'
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
  head: (name, { type, help }) => {
    const line = help === '' ? '' : `# HELP ${name} ${escapeHelp(help)}\n`
    return `${line}# TYPE ${name} ${type}\n`
  },
  carries: () => true,
  bound: (bound) => bound,
  hasSum: () => true,
  end: '',
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
