import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '../../../base/errors.ts'
import type { Exchange, FlatHeaders, IncomingHeaders, SendsItself } from './engine.ts'
import type { NodeResponse } from './node-response.ts'
import { endGently, originForm } from './refusals.ts'
import { hasNoBody } from './response-head.ts'
import { statusText } from './node-http.ts'

const plainText: FlatHeaders = ['Content-Type', 'text/plain; charset=utf-8']

/** Shared by the exchanges of one engine. */
export interface EngineState {
  /** While true, each response is the last one of its connection. */
  closing: boolean
  /** Connections whose last response has been sent. */
  readonly done: WeakSet<Socket>
  /** The latest pending response of a connection with pipelined requests. */
  readonly latest: WeakMap<Socket, NodeResponse>
}

/** One exchange of the `node:http` engine. */
export class NodeExchange implements Exchange {
  readonly method: string
  readonly target: string
  readonly secure: boolean
  responded = false
  responseBytes = 0
  readonly #incoming: IncomingMessage
  readonly #outgoing: NodeResponse
  readonly #engine: EngineState
  /** What the connection had sent when a streamed response began; -1 if none was. */
  #sentBefore = -1

  constructor(
    incoming: IncomingMessage,
    outgoing: NodeResponse,
    engine: EngineState,
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
    return (
      this.#incoming.socket.destroyed ||
      (this.#outgoing.destroyed && !this.#outgoing.writableFinished)
    )
  }

  get streamedBytes(): number {
    return this.#sentBefore === -1 ? 0 : this.#incoming.socket.bytesWritten - this.#sentBefore
  }

  respond(status: number, headers: FlatHeaders, body: string | Uint8Array | null): void {
    const outgoing = this.#outgoing
    if (outgoing.headersSent || outgoing.destroyed) return
    const last = this.#isLast()
    this.responseBytes = outgoing.sendWhole(status, headers, body, last)
    this.responded = true
    if (last) this.#conclude()
  }

  async stream(
    status: number,
    headers: FlatHeaders,
    body: Readable,
    begun?: () => void,
  ): Promise<void> {
    const outgoing = this.#outgoing
    if (outgoing.headersSent || outgoing.destroyed) {
      body.destroy()
      return
    }
    const bodiless = this.method === 'HEAD' || hasNoBody(status)
    if (!bodiless) await firstBytes(body, outgoing)
    if (outgoing.destroyed) {
      body.destroy()
      return
    }
    this.#sentBefore = this.#incoming.socket.bytesWritten
    const last = this.#isLast()
    if (last) outgoing.shouldKeepAlive = false
    outgoing.writeHead(status, [...headers])
    if (last) this.#conclude()
    begun?.()
    if (bodiless) {
      body.destroy()
      outgoing.end()
      return
    }
    try {
      await (sendsItself(body) ? body.sendTo(outgoing) : pipeline(body, outgoing))
    } catch (error) {
      // A client may disconnect at any time; a source that fails or stops early is our error.
      const stopped = body.errored === null && !body.readableEnded
      if (stopped || !hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) throw error
    }
  }

  onGone(listener: () => void): void {
    const outgoing = this.#outgoing
    if (this.gone) queueMicrotask(listener)
    else outgoing.once('close', () => outgoing.writableFinished || listener())
  }

  closeAfter(): void {
    this.#outgoing.shouldKeepAlive = false
  }

  destroy(): void {
    this.#incoming.socket.destroy()
  }

  /** Refuses a request before it reaches the framework, and ends its connection. */
  refuse(status: number): void {
    this.#outgoing.sendWhole(status, plainText, statusText(status), true)
    this.#conclude()
  }

  get #unread(): boolean {
    return !this.#incoming.complete && this.hasBody
  }

  #isLast(): boolean {
    return (
      !this.#outgoing.allowsNext || this.#unread || (this.#engine.closing && !this.#isFollowed())
    )
  }

  // Requests received before the engine closed all get a response; the last one ends the connection.
  #isFollowed(): boolean {
    const latest = this.#engine.latest.get(this.#incoming.socket)
    return latest !== undefined && latest !== this.#outgoing && !latest.writableFinished
  }

  // The client knows that this is the last response and will repeat further pipelined requests
  // elsewhere, so none of them may run.
  #conclude(): void {
    const { socket } = this.#incoming
    this.#engine.done.add(socket)
    if (!this.#unread) return
    this.#incoming.resume()
    if (this.#outgoing.leaveOpen()) this.#outgoing.once('finish', () => endGently(socket))
  }
}

/**
 * Resolves when a stream has data, has ended, or the receiver is gone. Headers are sent only then, so
 * that a source that fails immediately becomes an error response instead of a closed connection.
 * @throws the error of a stream that fails before its first byte.
 */
function firstBytes(body: Readable, receiver: Writable): Promise<void> {
  // Keeps a listener for an error between this promise and the next reader.
  body.on('error', () => {})
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      for (const event of events) body.off(event, settle)
      receiver.off('close', settle)
      if (body.errored === null) resolve()
      else reject(body.errored)
    }
    const events = ['readable', 'end', 'error', 'close'] as const
    if (body.readableLength > 0 || body.destroyed || body.readableEnded) return settle()
    for (const event of events) body.on(event, settle)
    receiver.on('close', settle)
  })
}

function sendsItself(body: Readable): body is Readable & SendsItself {
  return 'sendTo' in body
}
