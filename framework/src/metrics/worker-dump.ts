import { privateFile } from '../base/files/private-files.ts'
import type { Exporter } from './exporters/exporter.ts'
import { JsonExporter } from './exporters/json.ts'
import type { Observability } from './observability.ts'
import type { OwnSnapshot } from './snapshot-reader.ts'
import type { SlowestStatements } from './slowest-statements.ts'
import { withMembers, writeLastSnapshotFile } from './write-snapshot-file.ts'

/** Options of `WorkerDump`. */
export interface WorkerDumpOptions {
  readonly file: string
  /** Seconds between two dumps. */
  readonly interval: number
  /** Written along for the other workers. */
  readonly statements?: SlowestStatements
  /** Called with the snapshot of each interval, once it is written. */
  readonly written?: (own: OwnSnapshot) => Promise<void>
}

/** Periodically writes the snapshot of this process to its file until stopped. */
export class WorkerDump {
  readonly #observability: Observability
  readonly #options: WorkerDumpOptions
  readonly #exporter: Exporter
  readonly #onExit = (): void => this.#writeLast()
  #timer: NodeJS.Timeout | undefined

  constructor(observability: Observability, options: WorkerDumpOptions) {
    this.#observability = observability
    this.#options = options
    // A non-finite value only omits its own series.
    const json = new JsonExporter({ skipNonFinite: true, exactSums: true })
    const { statements } = options
    this.#exporter = {
      export: (snapshot) =>
        withMembers(json.export(snapshot), { statements: statements?.list() ?? [] }),
    }
  }

  get file(): string {
    return this.#options.file
  }

  /**
   * Writes the first snapshot and starts the interval. A last snapshot is also written when the
   * process exits before `stop`, for example after an uncaught error.
   */
  async start(): Promise<void> {
    await this.#tick()
    process.once('exit', this.#onExit)
    this.#timer ??= setInterval(() => void this.#tick(), this.#options.interval * 1000).unref()
  }

  /** Writes a snapshot now; false when that failed. */
  write(): Promise<boolean> {
    return this.#observability.dump(this.#exporter, this.#options.file, privateFile)
  }

  /** Writes a snapshot now and returns it without waiting for the file. */
  take(): OwnSnapshot & { readonly written: Promise<boolean> } {
    const { file } = this
    const snapshot = this.#observability.gather()
    const written = this.#observability.write(snapshot, this.#exporter, file, privateFile)
    return { file, snapshot, written }
  }

  /** Stops the interval and writes a last snapshot. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.write()
    process.off('exit', this.#onExit)
  }

  async #tick(): Promise<void> {
    const own = this.take()
    await own.written
    await this.#options.written?.(own)
  }

  #writeLast(): void {
    try {
      const text = this.#exporter.export(this.#observability.gather())
      writeLastSnapshotFile(this.#options.file, text)
    } catch {
      // The reason why the process ends matters more.
    }
  }
}
