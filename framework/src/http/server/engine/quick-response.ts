import { Socket } from 'node:net'
import type { FlatHeaders } from './engine.ts'
import { nodeHttp } from './node-http.ts'
import { NodeResponse } from './node-response.ts'
import { dateLine, hasNoBody, headerBlock, statusLine } from './response-head.ts'

/**
 * A response that writes a finished header block and body straight to the socket, while `writeHead`
 * would process each header again and `end` would prepare for more data. It relies on undocumented
 * fields of Node: see `docs/decisions/0002-http-engine.md` for the reasons.
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
  ): number {
    const { req } = this
    const bodiless = hasNoBody(status)
    const bytes = bodiless || body === null ? 0 : Buffer.byteLength(body)
    let head = statusLine(status) + headerBlock(headers)
    if (!bodiless) head += `Content-Length: ${bytes}\r\n`
    head += dateLine()
    if (last) head += 'Connection: close\r\n'
    else if (req.httpVersionMinor === 0) head += 'Connection: keep-alive\r\n'
    head += '\r\n'
    this.statusCode = status
    this._header = head
    this._last = last
    const sent = bodiless || req.method === 'HEAD' ? null : body
    const isText = sent === null || typeof sent === 'string'
    if (last || !isText || !this.#writeNow(head, sent)) this.endWith(sent)
    return bytes
  }

  override leaveOpen(): boolean {
    this._last = false
    return true
  }

  // False if an earlier pipelined request must get its response first.
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

/** The field that `QuickResponse` needs and this Node lacks; null if it has all of them. */
export function probeQuickResponse(
  sample: object = new nodeHttp.ServerResponse(new nodeHttp.IncomingMessage(new Socket())),
): string | null {
  const missing = fields.find((field) => !(field in sample))
  if (missing !== undefined) return missing
  // It must not only exist: Node must treat headers stored there as sent.
  Reflect.set(sample, '_header', 'HTTP/1.1 200 OK\r\n\r\n')
  return Reflect.get(sample, 'headersSent') === true ? null : '_header'
}
