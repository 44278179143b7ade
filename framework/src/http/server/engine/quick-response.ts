import { transcode } from 'node:buffer'
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
    given: string | Uint8Array | null,
    last: boolean,
  ): number {
    const { req } = this
    const bodiless = hasNoBody(status)
    const body = bodiless ? null : quickToSend(given)
    const bytes = body === null ? 0 : Buffer.byteLength(body)
    let head = statusLine(status) + headerBlock(headers)
    if (!bodiless) head += `Content-Length: ${bytes}\r\n`
    head += dateLine()
    if (last) head += 'Connection: close\r\n'
    else if (req.httpVersionMinor === 0) head += 'Connection: keep-alive\r\n'
    head += '\r\n'
    this.statusCode = status
    this._header = head
    this._last = last
    const sent = req.method === 'HEAD' ? null : body
    if (last || !this.#writeNow(head, sent, bytes)) this.endWith(sent)
    return bytes
  }

  override leaveOpen(): boolean {
    this._last = false
    return true
  }

  // False if an earlier pipelined request must get its response first.
  #writeNow(head: string, body: string | Uint8Array | null, bytes: number): boolean {
    const { socket } = this
    if (socket === null || !socket.writable) return false
    this._headerSent = true
    this.finished = true
    if (body === null) socket.write(head, 'utf8')
    else if (typeof body === 'string') {
      // A text of ASCII is copied as it is, without a look at each letter.
      const isAscii = bytes === body.length && Buffer.byteLength(head) === head.length
      socket.write(head + body, isAscii ? 'latin1' : 'utf8')
    } else if (bytes <= copiedBytes) {
      socket.write(Buffer.concat([Buffer.from(head), body]))
    } else {
      // Both in one call of the system.
      socket.cork()
      socket.write(head, 'utf8')
      socket.write(body)
      socket.uncork()
    }
    this.emit('finish')
    return true
  }
}

/** Up to this length a body is put behind its head, which is cheaper than to hand both to the system. */
const copiedBytes = 65_536

/** From this length on it is worth while to look for letters outside Latin-1. */
const longText = 1_024
// oxlint-disable-next-line no-control-regex
const outsideLatin1 = /[^\x00-\xff]/

/**
 * A body as it is sent fastest. One letter outside Latin-1 makes V8 keep two bytes for each letter of the text, which
 * Node encodes letter by letter; the encoder of `transcode` is several times faster.
 */
function quickToSend(body: string | Uint8Array | null): string | Uint8Array | null {
  if (typeof body !== 'string' || body.length < longText || !outsideLatin1.test(body)) return body
  try {
    return transcode(Buffer.from(body, 'utf16le'), 'utf16le', 'utf8')
  } catch {
    // Half a letter, which Node replaces.
    return body
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
