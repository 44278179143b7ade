import { Channel } from './channel.ts'
import type { Level } from './level.ts'
import type { Sink } from './sink.ts'

/** How the channels of a process are made. */
export interface LogsOptions {
  /** The sinks of every channel, or a function that gives those of the channel named. */
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

  /** The channel of that name; made when it is first asked for, the same one ever after. */
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

  /** Resolves when every line so far is handed to the system. */
  async flush(): Promise<void> {
    await Promise.all([...this.#sinks].map((sink) => sink.flush()))
  }

  /** Writes every waiting line before it returns; for the way out of a dying process. */
  flushSync(): void {
    for (const sink of this.#sinks) sink.flushSync()
  }

  /** Writes what is waiting and closes the sinks of all channels. */
  async close(): Promise<void> {
    await Promise.all([...this.#sinks].map((sink) => sink.close()))
  }

  #own(sinks: readonly Sink[]): void {
    for (const sink of sinks) this.#sinks.add(sink)
  }
}
