import { Channel } from './channel.ts'
import type { Level } from './level.ts'
import type { Sink } from './sink.ts'

/** Options of `Logs`. */
export interface LogsOptions {
  /** The sinks of every channel, or a function that returns the sinks of a channel. */
  readonly sinks: readonly Sink[] | ((channel: string) => readonly Sink[])
  readonly level?: Level
  /** Epoch seconds. */
  readonly clock?: () => number
}

/** The channels of a process by name; it owns their sinks and closes each of them once. */
export class Logs {
  readonly #options: LogsOptions
  readonly #channels = new Map<string, Channel>()
  readonly #sinks = new Set<Sink>()

  constructor(options: LogsOptions) {
    this.#options = options
    if (typeof options.sinks !== 'function') this.#own(options.sinks)
  }

  /** The channel with that name, created on first use. */
  channel(name: string): Channel {
    const known = this.#channels.get(name)
    if (known !== undefined) return known
    const { sinks: given, ...options } = this.#options
    const sinks = typeof given === 'function' ? given(name) : given
    this.#own(sinks)
    const channel = new Channel(name, { ...options, sinks, shared: true })
    this.#channels.set(name, channel)
    return channel
  }

  /** Resolves when all lines so far are written. */
  async flush(): Promise<void> {
    await Promise.all([...this.#sinks].map((sink) => sink.flush()))
  }

  /** Writes all pending lines synchronously, for a process that is about to exit. */
  flushSync(): void {
    for (const sink of this.#sinks) sink.flushSync()
  }

  /** Writes all pending lines and closes the sinks of all channels. */
  async close(): Promise<void> {
    await Promise.all([...this.#sinks].map((sink) => sink.close()))
  }

  #own(sinks: readonly Sink[]): void {
    for (const sink of sinks) this.#sinks.add(sink)
  }
}
