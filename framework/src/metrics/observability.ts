import { FrameworkError } from '../base/errors.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import { CollectorList } from './collectors/collector-list.ts'
import { ProcessCollector } from './collectors/process.ts'
import { RuntimeCollector } from './collectors/runtime.ts'
import type { Exporter } from './exporters/exporter.ts'
import { Instruments } from './instruments/instrument.ts'
import type { Metric } from './metric.ts'
import { Counter } from './instruments/counter.ts'
import type { Instrument } from './instruments/instrument.ts'
import { SampleNames } from './sample-names.ts'
import { SnapshotReader } from './snapshot-reader.ts'
import { Snapshot } from './snapshot.ts'
import { writeSnapshotFile } from './write-snapshot-file.ts'

/** Options of `Observability`. */
export interface ObservabilityOptions {
  /** Receives one report per failing instrument or collector. @default the shared `Throwables` */
  readonly throwables?: Throwables
}

/** Called with the registry of this process; must not throw. */
export type RegistryFollower = (registry: Observability) => void

/** The metrics registry of a process: holds instruments and collectors, and exports their values. */
export class Observability {
  static #instance: Observability | null = null
  static readonly #followers = new Set<RegistryFollower>()

  readonly metrics: Instruments = new Instruments()
  readonly collectors: CollectorList
  readonly #throwables: Throwables
  readonly #reported = new WeakSet<object>()
  #exceptions: Counter | null = null
  #lastDump: Promise<unknown> = Promise.resolve()
  #dumpReported = false

  /** `collectors` adds the process and runtime collectors; false creates an empty registry. */
  constructor(collectors: boolean = true, { throwables = Throwables }: ObservabilityOptions = {}) {
    this.#throwables = throwables
    this.collectors = new CollectorList((collector, error) => {
      this.#report(collector, error, { collector: nameOf(collector) })
    })
    if (collectors) this.collectors.push(new ProcessCollector(), new RuntimeCollector())
  }

  /**
   * The shared registry of this process; null until it is set. From then on every reported throwable
   * counts in its `exceptions_total`.
   */
  static get Instance(): Observability | null {
    return Observability.#instance
  }

  static set Instance(registry: Observability | null) {
    Observability.#instance = registry
    if (registry === null) return
    if (!Throwables.reporters.includes(countException)) Throwables.reporters.push(countException)
    for (const follower of Observability.#followers) follower(registry)
  }

  /**
   * Calls back with `Instance`: now if there is one, and whenever it is set later, so that a service
   * can be created before the registry. Returns a function that stops it.
   */
  static follow(follower: RegistryFollower): () => void {
    Observability.#followers.add(follower)
    if (Observability.#instance !== null) follower(Observability.#instance)
    return () => void Observability.#followers.delete(follower)
  }

  /**
   * Merges all JSON snapshot files that match the glob pattern. Files older than `maxAge` seconds are
   * skipped (0 skips none), and so are files that cannot be read or are not snapshots.
   */
  static async aggregate(pattern: string, maxAge: number = 0): Promise<Snapshot> {
    return new SnapshotReader(pattern, maxAge).merge()
  }

  /** The counter of reported throwables; registered on first access. */
  get exceptions(): Counter {
    if (this.#exceptions === null) {
      const help = 'Reported throwables.'
      this.#exceptions = new Counter('exceptions_total', { help })
      this.metrics.push(this.#exceptions)
    }
    return this.#exceptions
  }

  /** Reads every instrument and runs every collector. A failure only omits its own series. */
  gather(): Snapshot {
    const snapshot = new Snapshot()
    const names = new SampleNames()
    const instruments = new Set([...this.metrics, ...this.collectors.collect()])
    for (const instrument of instruments) {
      // Members are read with their root when that is registered too.
      if (instrument.root !== instrument && instruments.has(instrument.root)) continue
      const metric = this.#read(instrument)
      if (metric.series.length === 0) continue
      const { name } = instrument
      if (Object.hasOwn(snapshot.metrics, name)) {
        const difference = 'with that name has another type or other buckets'
        if (snapshot.add(name, metric) > 0) this.#leaveOut(instrument, difference)
        continue
      }
      const taken = names.claim(name, metric.type)
      if (taken !== null) this.#leaveOut(instrument, `writes samples named ${taken}`)
      // No need to check for equal labels: the members of one instrument all differ.
      else snapshot.metrics[name] = metric
    }
    return snapshot
  }

  /** Encodes the current snapshot. */
  export(exporter: Exporter): string {
    return exporter.export(this.gather())
  }

  /**
   * Encodes the current snapshot and atomically writes it to a file; creates the folder if necessary.
   * Returns false, and leaves an existing file unchanged, when it cannot be encoded or written. `mode` has
   * the permissions of the file, less those that the umask takes away.
   */
  async dump(exporter: Exporter, path: string, mode = 0o666): Promise<boolean> {
    return this.write(this.gather(), exporter, path, mode)
  }

  /** Writes the given snapshot to a file like `dump`. */
  write(snapshot: Snapshot, exporter: Exporter, path: string, mode = 0o666): Promise<boolean> {
    // One after the other, so that an older snapshot never overwrites a newer one.
    const kept = this.#lastDump.then(() => this.#writeFile(snapshot, exporter, path, mode))
    this.#lastDump = kept
    return kept
  }

  /** Closes the collectors; the instruments remain usable. */
  close(): void {
    this.collectors.close()
  }

  async #writeFile(
    snapshot: Snapshot,
    exporter: Exporter,
    path: string,
    mode: number,
  ): Promise<boolean> {
    try {
      const text = exporter.export(snapshot)
      if (text === '') return false
      await writeSnapshotFile(path, text, mode)
      this.#dumpReported = false
      return true
    } catch (error) {
      // It may be retried every few seconds: reported once until it works again.
      if (!this.#dumpReported) this.#throwables.notify(error, { file: path })
      this.#dumpReported = true
      return false
    }
  }

  #read(instrument: Instrument): Metric {
    const { help } = instrument
    if (instrument.type === 'histogram') {
      return { type: 'histogram', help, series: this.#readAll(instrument.members()) }
    }
    const { type, merge } = instrument
    const mode = merge === 'sum' ? {} : { merge }
    return { type, help, ...mode, series: this.#readAll(instrument.members()) }
  }

  #readAll<Series>(members: readonly Readable<Series>[]): Series[] {
    const series: Series[] = []
    for (const member of members) {
      try {
        series.push(member.read())
      } catch (error) {
        this.#report(member, error, { metric: member.name })
      }
    }
    return series
  }

  #leaveOut(instrument: Instrument, reason: string): void {
    const { name, type } = instrument
    const message = `the ${type} ${name} is left out: another instrument ${reason}; rename one of them`
    this.#report(instrument, new FrameworkError('E_METRIC_CLASH', message), { metric: name })
  }

  #report(source: object, error: unknown, context: Readonly<Record<string, unknown>>): void {
    if (this.#reported.has(source)) return
    this.#reported.add(source)
    this.#throwables.notify(error, context)
  }
}

/** The instruments of a registry, made when they are first asked for. */
export function perRegistry<Made extends object>(
  make: (registry: Observability) => Made,
): (registry: Observability) => Made {
  const known = new WeakMap<Observability, Made>()
  return (registry) => {
    const made = known.get(registry) ?? make(registry)
    known.set(registry, made)
    return made
  }
}

function nameOf({ constructor }: object): string {
  return typeof constructor === 'function' ? constructor.name : ''
}

function countException(): void {
  Observability.Instance?.exceptions.increment()
}

interface Readable<Series> {
  readonly name: string
  read(): Series
}
