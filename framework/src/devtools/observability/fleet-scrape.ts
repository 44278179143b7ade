import { setImmediate } from 'node:timers/promises'
import { JsonExporter } from '../../metrics/exporters/json.ts'
import { OpenMetricsExporter } from '../../metrics/exporters/open-metrics.ts'
import { PrometheusExporter } from '../../metrics/exporters/prometheus.ts'
import { snapshotPattern } from '../../metrics/fleet-files.ts'
import { membersBeside } from '../../metrics/fleet-list.ts'
import { SnapshotReader } from '../../metrics/snapshot-reader.ts'
import type { SlowestStatements, StatementStats } from '../../metrics/slowest-statements.ts'
import type { Snapshot } from '../../metrics/snapshot.ts'
import type { WorkerDump } from '../../metrics/worker-dump.ts'
import type { ObservabilitySettings } from '../../http/server/options.ts'

/** Encodes a snapshot in small chunks, so that the event loop is not blocked. */
interface ScrapeFormat {
  readonly contentType: string
  chunks(snapshot: Snapshot): Iterable<string>
}

const json = new JsonExporter({ skipNonFinite: true })

/** The document that the page draws. */
export const jsonFormat: ScrapeFormat = {
  contentType: json.contentType,
  chunks: (snapshot) => [json.export(snapshot)],
}

/** The formats of a scrape by media type. */
export const scrapeFormats: Readonly<Record<string, ScrapeFormat>> = {
  'text/plain': new PrometheusExporter(),
  'application/json': jsonFormat,
  'application/openmetrics-text': new OpenMetricsExporter(),
}

/**
 * Reads the metrics of the whole fleet when this worker is scraped. Concurrent scrapes share the work,
 * and other requests are handled in between.
 */
export class FleetScrape {
  readonly #dump: WorkerDump
  readonly #slow: SlowestStatements
  readonly #reader: SnapshotReader
  readonly #snapshot = sharedRun(() => this.#read())
  readonly #texts = new Map<ScrapeFormat, () => Promise<string>>()

  constructor(
    dump: WorkerDump,
    slow: SlowestStatements,
    { folder, maxAge }: ObservabilitySettings,
  ) {
    this.#dump = dump
    this.#slow = slow
    this.#reader = new SnapshotReader(snapshotPattern(folder), maxAge, membersBeside(dump.file))
  }

  /** The merged values of all workers as text. */
  text(format: ScrapeFormat): Promise<string> {
    const text = this.#texts.get(format) ?? sharedRun(() => this.#render(format))
    this.#texts.set(format, text)
    return text()
  }

  /** The slowest statements of all workers; of the others as of their last dump. */
  statements(): Promise<StatementStats[]> {
    return this.#reader.statements(this.#slow.list(), this.#dump.file)
  }

  async #render(format: ScrapeFormat): Promise<string> {
    const snapshot = await this.#snapshot()
    let text = ''
    for (const chunk of format.chunks(snapshot)) {
      text += chunk
      await setImmediate()
    }
    return text
  }

  async #read(): Promise<Snapshot> {
    const own = this.#dump.take()
    const merged = await this.#reader.merge(own)
    await own.written
    return merged
  }
}

/**
 * Runs a task for several concurrent callers. Calls made while it runs share the next run, so no caller
 * gets a result older than its call.
 */
export function sharedRun<Value>(task: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Value> | null = null
  const start = (): Promise<Value> => {
    next = null
    const value = task()
    running = value.catch(() => undefined)
    return value
  }
  return () => (next ??= running.then(start))
}
