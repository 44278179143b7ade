import { setImmediate } from 'node:timers/promises'
import { JsonExporter } from '../../services/observability/exporters/json.ts'
import { OpenMetricsExporter } from '../../services/observability/exporters/open-metrics.ts'
import { PrometheusExporter } from '../../services/observability/exporters/prometheus.ts'
import { membersBeside } from '../../services/observability/fleet/fleet-list.ts'
import { snapshotPattern } from '../../services/observability/fleet-files.ts'
import { SnapshotReader } from '../../services/observability/snapshot-reader.ts'
import type { Snapshot } from '../../services/observability/snapshot.ts'
import type { WorkerDump } from '../../services/observability/worker-dump.ts'
import type { ObservabilitySettings } from '../server/observability-settings.ts'
import { SharedRun } from './shared-run.ts'

/** What makes the text of a scrape, in pieces that are quick to make. */
interface ScrapeFormat {
  readonly contentType: string
  pieces(snapshot: Snapshot): Iterable<string>
}

const prometheus = new PrometheusExporter()
const openMetrics = new OpenMetricsExporter()
const json = new JsonExporter({ skipNonFinite: true })

/** The formats of a scrape by the media type a client names. */
export const scrapeFormats: Readonly<Record<string, ScrapeFormat>> = {
  'text/plain': {
    contentType: prometheus.contentType,
    pieces: (snapshot) => prometheus.chunks(snapshot),
  },
  'application/json': {
    contentType: json.contentType,
    pieces: (snapshot) => [json.export(snapshot)],
  },
  'application/openmetrics-text': {
    contentType: openMetrics.contentType,
    pieces: (snapshot) => openMetrics.chunks(snapshot),
  },
}

/**
 * Reads the whole fleet for whoever scrapes this worker. Several that come at once share the work,
 * and others get their turn while it goes on.
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
    for (const piece of format.pieces(snapshot)) {
      text += piece
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
