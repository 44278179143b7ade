import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** What a piece of a stream holds. */
interface Parsed {
  /** The data of its events, or a text that says what else came. */
  readonly events: readonly (number | string)[]
  /** The last id in it; null for none. */
  readonly lastId: string | null
  /** The beginning of the next block. */
  readonly rest: string
}

/** Clients on the same events read the same bytes, so most of them are parsed once. */
const known = new Map<string, Parsed>()
const maxKnown = 1_000
const maxKnownLength = 1_000
/** One buffer for all: a callback is done with it before the next one runs. */
const buffer = Buffer.alloc(65_536)

/**
 * A client of an event stream whose events are the numbers 0, 1, 2 …, for thousands of them in one
 * process: it counts instead of keeping what it gets. Like `EventSource` it reconnects with its last id.
 */
export class CountingClient {
  /** Events that came once and in order; the next one is this number. */
  received = 0
  /** Responses with status 200. */
  connections = 0
  /** The first thing that was wrong, such as an event that came twice; null for nothing. */
  problem: string | null = null
  readonly #port: number
  readonly #path: string
  readonly #retryMs: number
  #socket: Socket | null = null
  #lastId = ''
  #rest = ''
  #isOpen = false
  #isClosed = false

  constructor(port: number, path: string, retryMs: number) {
    this.#port = port
    this.#path = path
    this.#retryMs = retryMs
    this.#connect()
  }

  /** Whether the server has responded and told an id. */
  get isReady(): boolean {
    return this.#isOpen && this.#lastId !== ''
  }

  /** Breaks the connection, after which it reconnects. */
  drop(): void {
    this.#socket?.destroy()
  }

  close(): void {
    this.#isClosed = true
    this.#socket?.destroy()
  }

  #connect(): void {
    this.#rest = ''
    const onread = {
      buffer,
      callback: (bytes: number) => {
        this.#read(buffer.toString('latin1', 0, bytes))
        return true
      },
    }
    const socket = connect({ host: '127.0.0.1', port: this.#port, onread })
    this.#socket = socket
    const lastId = this.#lastId === '' ? '' : `Last-Event-ID: ${this.#lastId}\r\n`
    socket.write(`GET ${this.#path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lastId}\r\n`)
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#isOpen = false
      if (!this.#isClosed) setTimeout(() => this.#isClosed || this.#connect(), this.#retryMs)
    })
  }

  // Chunks of the transfer end with events, so their frames are lines that no field begins with.
  #read(text: string): void {
    if (!this.#isOpen && text.startsWith('HTTP/1.1 200 ')) {
      this.#isOpen = true
      this.connections += 1
    }
    if (!this.#isOpen) return
    const { events, lastId, rest } = parsed(this.#rest + text)
    this.#rest = rest
    if (lastId !== null) this.#lastId = lastId
    for (const event of events) {
      if (event === this.received) this.received += 1
      else this.problem ??= `after ${this.received} events came ${event}`
    }
  }
}

function parsed(text: string): Parsed {
  if (text.length > maxKnownLength) return parse(text)
  const existing = known.get(text)
  if (existing !== undefined) return existing
  if (known.size >= maxKnown) known.clear()
  const result = parse(text)
  known.set(text, result)
  return result
}

function parse(text: string): Parsed {
  const blocks = text.split('\n\n')
  const rest = blocks.pop() ?? ''
  const events: (number | string)[] = []
  let lastId: string | null = null
  for (const block of blocks) {
    lastId = /^id: (.+)$/m.exec(block)?.[1] ?? lastId
    const data = /^data: (.+)$/m.exec(block)?.[1]
    if (data === undefined) continue
    events.push(/^event: number$/m.test(block) ? Number(data) : JSON.stringify(block))
  }
  return { events, lastId, rest }
}
