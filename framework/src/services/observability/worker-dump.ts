import { JsonExporter } from './exporters/json.ts'
import type { Observability } from './observability.ts'
import type { OwnSnapshot } from './snapshot-reader.ts'
import { writeLastSnapshotFile } from './write-snapshot-file.ts'

/** How a worker leaves its snapshot for the others. */
export interface WorkerDumpOptions {
  readonly file: string
  /** Seconds between two dumps. */
  readonly interval: number
}

/** Writes the snapshot of this process to its file, again and again, until it is stopped. */
export class WorkerDump {
  readonly #observability: Observability
  readonly #options: WorkerDumpOptions
  // A value that JSON cannot hold costs its own series and not the others.
  readonly #exporter = new JsonExporter({ skipNonFinite: true, exactSums: true })
  readonly #onExit = (): void => this.#writeLast()
  #timer: NodeJS.Timeout | null = null

  constructor(observability: Observability, options: WorkerDumpOptions) {
    this.#observability = observability
    this.#options = options
  }

  /** Where they are written. */
  get file(): string {
    return this.#options.file
  }

  /**
   * Writes the first one, and the next ones from now on. Should the process end before `stop`, of a
   * throwable that nobody caught above all, it still writes one.
   */
  async start(): Promise<void> {
    await this.write()
    process.once('exit', this.#onExit)
    this.#timer ??= setInterval(() => void this.write(), this.#options.interval * 1000).unref()
  }

  /** Writes one now; false when that was not possible. */
  write(): Promise<boolean> {
    return this.#observability.dump(this.#exporter, this.#options.file)
  }

  /** Writes one now, and gives it at once: this process need not wait for its own values. */
  take(): OwnSnapshot & { readonly written: Promise<boolean> } {
    const { file } = this
    const snapshot = this.#observability.gather()
    return { file, snapshot, written: this.#observability.write(snapshot, this.#exporter, file) }
  }

  /** Writes the last one. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    await this.write()
    process.off('exit', this.#onExit)
  }

  #writeLast(): void {
    try {
      const text = this.#exporter.export(this.#observability.gather())
      writeLastSnapshotFile(this.#options.file, text)
    } catch {
      // The process ends for a reason that matters more.
    }
  }
}
