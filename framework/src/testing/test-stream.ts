import { AssertionError } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectedRequest, InjectedResponse } from '../http/server/inject.ts'

/** An event as a page gets it. */
export interface StreamedEvent {
  /** Empty if it has none. */
  readonly id: string
  readonly name: string
  readonly data: unknown
}

/** Asks for the stream. */
type Connecting = (
  request: Pick<InjectedRequest, 'headers' | 'until' | 'signal'>,
) => Promise<InjectedResponse>

const timeoutMs = 5_000

/** An event stream as a page under test has it open. It reconnects only when it is told to. */
export class TestStream {
  /** Everything so far, over all connections. */
  readonly events: StreamedEvent[] = []
  readonly #connecting: Connecting
  #cut = new AbortController()
  #ended: Promise<unknown> = Promise.resolve()
  #lastId = ''
  #taken = 0

  private constructor(connecting: Connecting) {
    this.#connecting = connecting
  }

  /** @throws AssertionError if the response is no event stream. */
  static async open(connecting: Connecting): Promise<TestStream> {
    const stream = new TestStream(connecting)
    await stream.#connect()
    return stream
  }

  /**
   * The next event, for which it waits.
   * @throws AssertionError if none comes within five seconds.
   */
  async next(): Promise<StreamedEvent> {
    const endsMs = performance.now() + timeoutMs
    for (;;) {
      const event = this.events[this.#taken]
      if (event !== undefined) {
        this.#taken += 1
        return event
      }
      if (performance.now() > endsMs) {
        const names = this.events.map(({ name }) => name).join(', ') || 'none'
        throw new AssertionError({ message: `no event came after these: ${names}` })
      }
      await sleep(5)
    }
  }

  /** Connects again with the id of the last event, as a browser does when the connection was lost. */
  async reconnect(): Promise<void> {
    await this.close()
    await this.#connect()
  }

  /** Disconnects. */
  async close(): Promise<void> {
    this.#cut.abort()
    await this.#ended
  }

  async #connect(): Promise<void> {
    this.#cut = new AbortController()
    const { promise: began, resolve: begin } = Promise.withResolvers<null>()
    let read = 0
    const until = (text: string): boolean => {
      const end = text.lastIndexOf('\n\n') + 2
      if (end > 1) {
        for (const block of text.slice(read, end).split('\n\n')) this.#take(block)
        read = end
      }
      begin(null)
      return false
    }
    const headers = this.#lastId === '' ? {} : { 'last-event-id': this.#lastId }
    const ended = this.#connecting({ headers, until, signal: this.#cut.signal })
    this.#ended = ended
    const response = await Promise.race([began, ended])
    const type = response?.headers['content-type'] ?? ''
    if (response === null || type.startsWith('text/event-stream')) return
    throw new AssertionError({ message: `no event stream, but a response ${response.status}` })
  }

  #take(block: string): void {
    const fields = new Map<string, string>()
    for (const [, name = '', value = ''] of block.matchAll(/^(\w+): (.*)$/gm))
      fields.set(name, value)
    this.#lastId = fields.get('id') ?? this.#lastId
    const data = fields.get('data')
    if (data === undefined) return
    this.events.push({
      id: this.#lastId,
      name: fields.get('event') ?? 'message',
      data: JSON.parse(data),
    })
  }
}
