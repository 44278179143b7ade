import { Socket } from 'node:net'
import { dateLine } from './date-line.ts'
import type { FlatHeaders } from './engine.ts'
import { headerBlock } from './header-block.ts'
import { nodeHttp } from './node-http.ts'
import { NodeResponse } from './node-response.ts'
import { hasNoBody, statusLine } from './status.ts'

/**
 * A response that takes a finished head in one piece, where `writeHead` would look at each header
 * again, and writes it straight to the socket, where `end` would first prepare for more to come. That
 * rests on fields Node does not document: `docs/decisions/0002-http-engine.md` has the reasons.
 */
export class QuickResponse extends NodeResponse {
  declare _header: string | null
  declare _headerSent: boolean
  declare _last: boolean
  declare maxRequestsOnConnectionReached: boolean

  override get allowsNext(): boolean {
    return this.shouldKeepAlive && !this.maxRequestsOnConnectionReached
  }

  override sendWhole(
    status: number,
    headers: FlatHeaders,
    body: string | Uint8Array | null,
    last: boolean,
  ): void {
    const { req } = this
    const bodiless = hasNoBody(status)
    let head = statusLine(status) + headerBlock(headers)
    if (!bodiless) head += `Content-Length: ${body === null ? 0 : Buffer.byteLength(body)}\r\n`
    head += dateLine()
    if (last) head += 'Connection: close\r\n'
    else if (req.httpVersionMinor === 0) head += 'Connection: keep-alive\r\n'
    head += '\r\n'
    this.statusCode = status
    this._header = head
    this._last = last
    const sent = bodiless || req.method === 'HEAD' ? null : body
    if (!last && (sent === null || typeof sent === 'string') && this.#writeNow(head, sent)) return
    this.endWith(sent)
  }

  override leaveOpen(): boolean {
    this._last = false
    return true
  }

  // False when it is not this answer's turn on a connection that brings several requests at once.
  #writeNow(head: string, body: string | null): boolean {
    const { socket } = this
    if (socket === null || !socket.writable) return false
    this._headerSent = true
    this.finished = true
    socket.write(body === null ? head : head + body, 'utf8')
    this.emit('finish')
    return true
  }
}

const fields = ['_header', '_headerSent', '_last', 'finished', 'maxRequestsOnConnectionReached']

/** The field a `QuickResponse` needs and this Node lacks; null when it has all of them. */
export function probeQuickResponse(sample: object = sampleResponse()): string | null {
  const missing = fields.find((field) => !(field in sample))
  if (missing !== undefined) return missing
  // Present is not enough: a head stored there must be the one that Node takes for sent.
  Reflect.set(sample, '_header', 'HTTP/1.1 200 OK\r\n\r\n')
  return Reflect.get(sample, 'headersSent') === true ? null : '_header'
}

function sampleResponse(): object {
  return new nodeHttp.ServerResponse(new nodeHttp.IncomingMessage(new Socket()))
}
