import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Exchange, FlatHeaders, IncomingHeaders } from './engine.ts'
import { dateLine } from './date-line.ts'
import { originForm } from './refusals.ts'
import { hasNoBody, statusLine, statusText } from './status.ts'

/** How long a client may go on sending a body nobody reads, so that it sees the answer first. */
const lingerMs = 2000

/**
 * The response object `node:http` makes for each request. It takes a finished head in one piece,
 * where `writeHead` would look at each header again; `docs/decisions/0002-http-engine.md` has the
 * figures, and a test fails should Node stop keeping the head in `_header`.
 */
export class NodeResponse extends ServerResponse {
  declare _header: string | null
  declare _last: boolean
  declare maxRequestsOnConnectionReached: boolean

  /** Sends a head and a body that matches it, in one write where Node can. */
  sendWhole(status: number, head: string, body: string | Uint8Array | null, last: boolean): void {
    this.statusCode = status
    this._header = head
    this._last = last
    if (body === null || body.length === 0) this.end()
    else if (typeof body === 'string') this.end(body, 'utf8')
    else this.end(body)
  }
}

/** One exchange of the `node:http` engine. */
export class NodeExchange implements Exchange {
  readonly method: string
  readonly target: string
  readonly secure: boolean
  readonly #incoming: IncomingMessage
  readonly #outgoing: NodeResponse
  readonly #engine: { readonly closing: boolean }

  constructor(
    incoming: IncomingMessage,
    outgoing: NodeResponse,
    engine: { readonly closing: boolean },
    secure: boolean,
  ) {
    this.method = incoming.method ?? ''
    this.target = originForm(incoming.url ?? '')
    this.secure = secure
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#engine = engine
  }

  get address(): string {
    return this.#incoming.socket.remoteAddress ?? ''
  }

  get headers(): IncomingHeaders {
    return this.#incoming.headers
  }

  get hasBody(): boolean {
    const { headers } = this.#incoming
    const length = headers['content-length']
    return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
  }

  get body(): Readable {
    return this.#incoming
  }

  get began(): boolean {
    return this.#outgoing.headersSent
  }

  get gone(): boolean {
    return this.#incoming.socket.destroyed || (this.#outgoing.destroyed && !this.#outgoing.writableFinished)
  }

  respond(status: number, headers: FlatHeaders, body: string | Uint8Array | null): void {
    const outgoing = this.#outgoing
    if (outgoing.headersSent || outgoing.destroyed) return
    let head = statusLine(status)
    for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`
    const bodiless = hasNoBody(status)
    if (!bodiless) head += `Content-Length: ${body === null ? 0 : Buffer.byteLength(body)}\r\n`
    head += dateLine()
    const unread = !this.#incoming.complete && this.hasBody
    const last = this.#isLast()
    if (last || unread) head += 'Connection: close\r\n'
    else if (this.#incoming.httpVersionMinor === 0) head += 'Connection: keep-alive\r\n'
    head += '\r\n'
    outgoing.sendWhole(status, head, bodiless || this.method === 'HEAD' ? null : body, last && !unread)
    if (unread) this.#linger()
  }

  async stream(status: number, headers: FlatHeaders, body: Readable): Promise<void> {
    const outgoing = this.#outgoing
    if (outgoing.headersSent || outgoing.destroyed) {
      body.destroy()
      return
    }
    const unread = !this.#incoming.complete && this.hasBody
    if (this.#isLast() || unread) outgoing.shouldKeepAlive = false
    outgoing.writeHead(status, [...headers])
    if (this.method === 'HEAD' || hasNoBody(status)) {
      body.destroy()
      outgoing.end()
      return
    }
    try {
      await pipeline(body, outgoing)
    } catch (error) {
      // The client leaving is its right; a source that breaks is a failure of ours.
      if (!isPrematureClose(error)) throw error
    }
  }

  onGone(listener: () => void): void {
    const outgoing = this.#outgoing
    if (this.gone) queueMicrotask(listener)
    else outgoing.once('close', () => outgoing.writableFinished || listener())
  }

  destroy(): void {
    this.#incoming.socket.destroy()
  }

  /** Answers a request that may not reach the framework, and ends its connection. */
  refuse(status: number): void {
    const body = statusText(status)
    const head = `${statusLine(status)}Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\n`
    const unread = !this.#incoming.complete && this.hasBody
    this.#outgoing.sendWhole(
      status,
      `${head}${dateLine()}Connection: close\r\n\r\n`,
      this.method === 'HEAD' ? null : body,
      !unread,
    )
    if (unread) this.#linger()
  }

  #isLast(): boolean {
    const outgoing = this.#outgoing
    return this.#engine.closing || !outgoing.shouldKeepAlive || outgoing.maxRequestsOnConnectionReached === true
  }

  // Closing with unread bytes in the kernel resets the connection, and a reset can overtake the
  // answer. So we end our side, throw away what still comes for a moment, then close.
  #linger(): void {
    const { socket } = this.#incoming
    this.#incoming.resume()
    this.#outgoing.once('finish', () => {
      socket.removeAllListeners('data')
      socket.end()
      socket.resume()
    })
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
  }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}
