import { Throwables } from '../../base/throwables/throwables.ts'
import { FrameworkError } from '../../base/errors.ts'
import { CollectorList } from './collectors/collector-list.ts'
import { ProcessCollector } from './collectors/process.ts'
import { RuntimeCollector } from './collectors/runtime.ts'
import type { Exporter } from './exporters/exporter.ts'
import { Instruments } from './instruments.ts'
import type { Metric } from './metric.ts'
import { Counter } from './metrics/counter.ts'
import type { Instrument } from './metrics/instrument.ts'
import { SampleNames } from './sample-names.ts'
import { SnapshotReader } from './snapshot-reader.ts'
import { Snapshot } from './snapshot.ts'
import { writeSnapshotFile } from './write-snapshot-file.ts'

/** What a registry works with. */
export interface ObservabilityOptions {
  /** Told once about every instrument and collector that fails; the shared one unless given. */
  readonly throwables?: Throwables
}

/** Told of the registry of this process; must not throw. */
export type RegistryFollower = (registry: Observability) => void

/** A registry: the instruments and collectors of a process, and what becomes of their values. */
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

  /** Without `collectors` the registry is bare; else it has those of the process and the runtime. */
  constructor(collectors: boolean = true, { throwables = Throwables }: ObservabilityOptions = {}) {
    this.#throwables = throwables
    this.collectors = new CollectorList((collector, error) => {
      this.#report(collector, error, { collector: nameOf(collector) })
    })
    if (collectors) this.collectors.push(new ProcessCollector(), new RuntimeCollector())
  }

  /**
   * The registry of this process, for those who are not handed one; null until somebody sets it.
   * From then on every throwable that is reported counts in its `exceptions_total`.
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
   * Calls back with the registry of this process: at once if there is one, and with each that is set
   * later. So a service shows its series from the start, though it may be built before the registry.
   * The answer ends it.
   */
  static follow(follower: RegistryFollower): () => void {
    Observability.#followers.add(follower)
    if (Observability.#instance !== null) follower(Observability.#instance)
    return () => void Observability.#followers.delete(follower)
  }

  /**
   * Merges every JSON snapshot whose file matches the glob pattern. Files that were last written
   * more than `maxAge` seconds ago are skipped, 0 skips none; so are files that cannot be read or
   * hold something else.
   */
  static async aggregate(pattern: string, maxAge: number = 0): Promise<Snapshot> {
    return new SnapshotReader(pattern, maxAge).merge()
  }

  /** Counts the throwables that were reported; in the registry once somebody asks for it. */
  get exceptions(): Counter {
    if (this.#exceptions === null) {
      const help = 'Throwables that were reported.'
      this.#exceptions = new Counter('exceptions_total', { help })
      this.metrics.push(this.#exceptions)
    }
    return this.#exceptions
  }

  /** Reads every instrument and runs every collector. What fails costs its own series only. */
  gather(): Snapshot {
    const snapshot = new Snapshot()
    const names = new SampleNames()
    const instruments = new Set([...this.metrics, ...this.collectors.collect()])
    for (const instrument of instruments) {
      // A member of a family that is here itself is read with it.
      if (instrument.root !== instrument && instruments.has(instrument.root)) continue
      const metric = this.#read(instrument)
      if (metric.series.length === 0) continue
      const { name } = instrument
      if (Object.hasOwn(snapshot.metrics, name)) {
        const unlike = 'of that name has another type or other buckets'
        if (snapshot.add(name, metric) > 0) this.#leaveOut(instrument, unlike)
        continue
      }
      const taken = names.claim(name, metric.type)
      if (taken !== null) this.#leaveOut(instrument, `writes samples named ${taken}`)
      // No need to look for equal labels: the members of one instrument all differ.
      else snapshot.metrics[name] = metric
    }
    return snapshot
  }

  /** Encodes the current snapshot. */
  export(exporter: Exporter): string {
    return exporter.export(this.gather())
  }

  /**
   * Encodes the current snapshot into a file, whole or not at all; its folder is made if need be.
   * False, and the old file is what it was, when there was nothing to write or it could not be.
   */
  async dump(exporter: Exporter, path: string): Promise<boolean> {
    return this.write(this.gather(), exporter, path)
  }

  /** Encodes a snapshot into a file as `dump` does. */
  write(snapshot: Snapshot, exporter: Exporter, path: string): Promise<boolean> {
    // One after the other: an older snapshot must not come to lie on a newer one.
    const kept = this.#lastDump.then(() => this.#writeFile(snapshot, exporter, path))
    this.#lastDump = kept
    return kept
  }

  /** Closes the collectors; the instruments go on. */
  close(): void {
    this.collectors.close()
  }

  async #writeFile(snapshot: Snapshot, exporter: Exporter, path: string): Promise<boolean> {
    try {
      const text = exporter.export(snapshot)
      if (text === '') return false
      await writeSnapshotFile(path, text)
      this.#dumpReported = false
      return true
    } catch (error) {
      // It may be tried every few seconds: once says it, until it works again.
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
