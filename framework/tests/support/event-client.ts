import { get } from 'node:http'
import type { ClientRequest } from 'node:http'

/** An event as a client gets it. */
export interface ReceivedEvent {
  readonly id: string
  readonly name: string
  readonly data: unknown
}

/** How an `EventClient` behaves. */
export interface EventClientOptions {
  /** Milliseconds before it reconnects. @default what the server says */
  readonly retryMs?: number
  /** The id of the last event that it got elsewhere. @default none */
  readonly lastId?: string
}

/** A client that follows the rules of `EventSource`: it reconnects, with the id of the last event. */
export class EventClient {
  /** Everything received, over all connections. */
  readonly events: ReceivedEvent[] = []
  /** Connections that were opened. */
  connections = 0
  lastId: string
  readonly #url: string
  readonly #options: EventClientOptions
  #retryMs = 3_000
  #request: ClientRequest | null = null
  #text = ''
  #isOpen = false
  #isClosed = false

  constructor(url: string, options: EventClientOptions = {}) {
    this.#url = url
    this.#options = options
    this.lastId = options.lastId ?? ''
    this.#connect()
  }

  /** Whether the server has responded, and the last block has told an id. */
  get isReady(): boolean {
    return this.#isOpen && this.lastId !== ''
  }

  /** Breaks the connection, after which it reconnects. */
  drop(): void {
    this.#request?.destroy()
  }

  close(): void {
    this.#isClosed = true
    this.#request?.destroy()
  }

  #connect(): void {
    const headers = this.lastId === '' ? {} : { 'last-event-id': this.lastId }
    this.#text = ''
    const request = get(this.#url, { headers, agent: false }, (response) => {
      this.#isOpen = response.statusCode === 200
      this.connections += 1
      response.setEncoding('utf8')
      response.on('data', (text: string) => this.#read(text))
      response.on('error', () => {})
    })
    this.#request = request
    request.on('error', () => {})
    request.on('close', () => {
      this.#isOpen = false
      const { retryMs = this.#retryMs } = this.#options
      if (!this.#isClosed) setTimeout(() => this.#isClosed || this.#connect(), retryMs)
    })
  }

  #read(text: string): void {
    const blocks = (this.#text + text).split('\n\n')
    this.#text = blocks.pop() ?? ''
    for (const block of blocks) this.#receive(block)
  }

  #receive(block: string): void {
    let name = 'message'
    let data: string | null = null
    for (const line of block.split('\n')) {
      const at = line.indexOf(': ')
      const value = line.slice(at + 2)
      const field = line.slice(0, at)
      if (field === 'id') this.lastId = value
      else if (field === 'event') name = value
      else if (field === 'data') data = value
      else if (field === 'retry') this.#retryMs = Number(value)
    }
    if (data !== null) this.events.push({ id: this.lastId, name, data: JSON.parse(data) })
  }
}
