import { setImmediate } from 'node:timers/promises'
import { JsonExporter } from '../../metrics/exporters/json.ts'
import { OpenMetricsExporter } from '../../metrics/exporters/open-metrics.ts'
import { PrometheusExporter } from '../../metrics/exporters/prometheus.ts'
import { snapshotPattern } from '../../metrics/fleet-files.ts'
import { membersBeside } from '../../metrics/fleet-list.ts'
import { SnapshotReader } from '../../metrics/snapshot-reader.ts'
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
  readonly #reader: SnapshotReader
  readonly #snapshot = new SharedRun(() => this.#read())
  readonly #texts = new Map<ScrapeFormat, SharedRun<string>>()

  constructor(dump: WorkerDump, { folder, maxAge }: ObservabilitySettings) {
    this.#dump = dump
    this.#reader = new SnapshotReader(snapshotPattern(folder), maxAge, membersBeside(dump.file))
  }

  /** The merged values of all workers as text. */
  text(format: ScrapeFormat): Promise<string> {
    const known = this.#texts.get(format)
    if (known !== undefined) return known.run()
    const text = new SharedRun(() => this.#render(format))
    this.#texts.set(format, text)
    return text.run()
  }

  async #render(format: ScrapeFormat): Promise<string> {
    const snapshot = await this.#snapshot.run()
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
export class SharedRun<Value> {
  readonly #task: () => Promise<Value>
  #running: Promise<unknown> | null = null
  #next: Promise<Value> | null = null

  constructor(task: () => Promise<Value>) {
    this.#task = task
  }

  /** The result of a run that starts now or later. */
  run(): Promise<Value> {
    if (this.#next !== null) return this.#next
    if (this.#running === null) return this.#start()
    this.#next = this.#running.then(() => {
      this.#next = null
      return this.#start()
    })
    return this.#next
  }

  #start(): Promise<Value> {
    const value = this.#task()
    this.#running = this.#ended(value)
    return value
  }

  async #ended(value: Promise<Value>): Promise<void> {
    await Promise.allSettled([value])
    this.#running = null
  }
}
