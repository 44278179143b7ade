import cluster from 'node:cluster'
import { Throwables } from '../errors/throwables/throwables.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { checkChannel, encodeEvent } from './broadcast-event.ts'
import type { BroadcastEvent, ChannelMap, EventsOf } from './broadcast-event.ts'
import type { BroadcastEntry, BroadcastLog } from './broadcast-log.ts'
import { measureBroadcast } from './broadcast-metrics.ts'
import type { Feed, FeedSink, FeedSubscription } from './feed.ts'
import { FleetLog } from './fleet-log.ts'
import { History, completeHistory } from './history.ts'
import type { HistoryLimits } from './history.ts'
import { MemoryLog } from './memory-log.ts'
import { comparePositions, formatPosition, parsePosition } from './position.ts'
import type { Position } from './position.ts'

/** Options of `Broadcast`. */
export interface BroadcastOptions extends Partial<HistoryLimits> {
  /**
   * Where events are put in order and kept.
   * @default the memory of this server: that of its primary if it has several workers
   */
  readonly log?: BroadcastLog
  /** Receives the errors of listeners. */
  readonly throwables?: Throwables
}

/** Options of `broadcast.subscribe`. */
export interface SubscribeOptions {
  /** Called if events were lost, in a long outage for example. */
  readonly onReset?: () => unknown
}

/**
 * Typed events for everybody who listens, in all workers of a server, and with a log in Redis or in the
 * database on all machines: `new Broadcast<{ notes: { added: Note } }>()`. Every process gets all events
 * in one order.
 */
export class Broadcast<Channels extends { [C in keyof Channels]: object } = ChannelMap> {
  readonly #log: BroadcastLog
  readonly #history: History
  readonly #throwables: Throwables
  readonly #subscriptions = new Map<string, Set<BroadcastSubscription>>()
  readonly #counts = { published: 0, received: 0, gaps: 0 }
  readonly #stopMeasuring: () => void
  /** Resolves when the log has passed on what it keeps; null until somebody listens. */
  #following: Promise<void> | null = null

  /** @throws InvalidArgumentException for invalid limits of the history. */
  constructor({ log, throwables = Throwables, ...limits }: BroadcastOptions = {}) {
    const history = completeHistory(limits)
    this.#log = log ?? (cluster.isWorker ? new FleetLog(history) : new MemoryLog(history))
    this.#history = new History(history)
    this.#throwables = throwables
    this.#stopMeasuring = measureBroadcast(this.#counts)
  }

  /**
   * Publishes an event to everybody who listens to the channel. Resolves with its id once its place in
   * the order is certain; publish only what is committed.
   * @throws InvalidArgumentException for data that is not JSON or has more than 64 KiB, and the error of
   *   the log if it cannot be reached.
   */
  async publish<
    Channel extends keyof Channels & string,
    Name extends keyof Channels[Channel] & string,
  >(channel: Channel, name: Name, data: Channels[Channel][Name]): Promise<string> {
    const position = await this.#log.append(encodeEvent(channel, name, data))
    this.#counts.published += 1
    return formatPosition(position)
  }

  /** Calls the listener with every event from now on. Returns a function that stops it. */
  subscribe<Channel extends keyof Channels & string>(
    channel: Channel,
    listener: (event: BroadcastEvent<Channels[Channel]>) => unknown,
    { onReset }: SubscribeOptions = {},
  ): () => void {
    const sink: FeedSink = {
      begin: () => {},
      replay: () => {},
      send: ({ position, name, data }) => {
        const event: BroadcastEvent<Channels[Channel]> = JSON.parse(
          `{"id":"${formatPosition(position)}","name":${JSON.stringify(name)},"data":${data}}`,
        )
        this.#call(() => listener(event))
      },
      reset: () => this.#call(() => onReset?.()),
    }
    const subscription = this.#open([checkChannel(channel)], null, sink)
    return () => subscription.close()
  }

  /** The events of one or several channels, for `response.events`. */
  channel<Names extends keyof Channels & string>(
    ...channels: readonly [Names, ...Names[]]
  ): Feed<EventsOf<Channels, Names>> {
    const names = channels.map((channel) => checkChannel(channel))
    return { open: (lastId, sink) => this.#open(names, lastId, sink) }
  }

  /**
   * The id of the latest event, whatever its channel. A page that shows what a channel is about can pass
   * it to `response.events(feed, { after })`, so that nothing is lost while it loads.
   */
  async position(): Promise<string> {
    await this.#follow()
    return formatPosition(this.#history.position)
  }

  /** Stops listening, and closes the log. */
  async close(): Promise<void> {
    this.#stopMeasuring()
    this.#subscriptions.clear()
    await this.#log.close()
  }

  #open(channels: readonly string[], lastId: string | null, sink: FeedSink): FeedSubscription {
    const subscription = new BroadcastSubscription(this.#history, channels, sink)
    let isClosed = false
    const begin = async (): Promise<void> => {
      await this.#follow()
      if (isClosed) return
      this.#join(subscription)
      subscription.begin(lastId)
    }
    void begin()
    return {
      get id() {
        return subscription.id
      },
      close: () => {
        isClosed = true
        this.#leave(subscription)
      },
    }
  }

  #follow(): Promise<void> {
    if (this.#following !== null) return this.#following
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#following = promise
    // Not part of the request that happens to be the first.
    CurrentWork.runOutside(() =>
      this.#log.follow({
        restart: (position, entries) => {
          this.#history.restart(position)
          for (const entry of entries) this.#history.append(entry)
          this.#resetAll()
          resolve()
        },
        receive: (entries) => {
          for (const entry of entries) this.#receive(entry)
        },
      }),
    )
    return promise
  }

  #receive(entry: BroadcastEntry): void {
    const { epoch, sequence } = entry.position
    if (comparePositions(entry.position, this.#history.position) <= 0) return
    if (!this.#history.expects(entry)) {
      this.#history.restart({ epoch, sequence: sequence - 1 })
      this.#resetAll()
    }
    this.#counts.received += 1
    this.#history.append(entry)
    for (const subscription of this.#subscriptions.get(entry.channel) ?? []) {
      subscription.receive(entry)
    }
  }

  #resetAll(): void {
    const all = new Set(this.#subscriptions.values().flatMap((members) => members))
    if (all.size === 0) return
    this.#counts.gaps += 1
    for (const subscription of all) subscription.reset()
  }

  #join(subscription: BroadcastSubscription): void {
    for (const channel of subscription.channels) {
      const members = this.#subscriptions.get(channel) ?? new Set()
      this.#subscriptions.set(channel, members.add(subscription))
    }
  }

  #leave(subscription: BroadcastSubscription): void {
    for (const channel of subscription.channels) {
      const members = this.#subscriptions.get(channel)
      members?.delete(subscription)
      if (members?.size === 0) this.#subscriptions.delete(channel)
    }
  }

  #call(listener: () => unknown): void {
    const fail = (thrown: unknown): void => this.#throwables.notify(thrown, { origin: 'broadcast' })
    try {
      const outcome = listener()
      if (outcome instanceof Promise) outcome.catch(fail)
    } catch (thrown) {
      fail(thrown)
    }
  }
}

/** One sink of one or several channels, and how far it has got. */
class BroadcastSubscription {
  readonly channels: readonly string[]
  readonly #history: History
  readonly #sink: FeedSink
  /** Everything up to here was passed on, or came before it; null until it has begun. */
  #position: Position | null = null

  constructor(history: History, channels: readonly string[], sink: FeedSink) {
    this.#history = history
    this.channels = channels
    this.#sink = sink
  }

  /** The id up to which the sink has received everything; null if it has not begun. */
  get id(): string | null {
    if (this.#position === null) return null
    const { position } = this.#history
    // A client that came from another process may know more than this one.
    const isAhead = comparePositions(this.#position, position) > 0
    return formatPosition(isAhead ? this.#position : position)
  }

  /** Begins after the event with this id, or now. */
  begin(lastId: string | null): void {
    const last = lastId === null ? this.#history.position : parsePosition(lastId)
    const missed = last === null ? null : this.#history.after(last)
    if (last === null || missed === null) return this.reset()
    this.#position = last
    this.#sink.begin(formatPosition(last))
    const entries = missed.filter(({ channel }) => this.channels.includes(channel))
    if (entries.length > 0) this.#sink.replay(entries)
  }

  /** Passes on an event, unless the client knows it from another process. */
  receive(entry: BroadcastEntry): void {
    if (this.#position === null || comparePositions(entry.position, this.#position) <= 0) return
    this.#sink.send(entry)
  }

  /** Goes on from now, after a gap. */
  reset(): void {
    this.#position = this.#history.position
    this.#sink.reset(formatPosition(this.#position))
  }
}
