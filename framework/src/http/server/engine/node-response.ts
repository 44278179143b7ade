import type { FlatHeaders } from './engine.ts'
import { nodeHttp } from './node-http.ts'
import { dateLine, hasNoBody, isOwnedByEngine } from './response-head.ts'

/**
 * The response object of `node:http`, with the public API only. Where Node has the internal fields for
 * it, `QuickResponse` is used instead.
 */
export class NodeResponse extends nodeHttp.ServerResponse {
  /** Whether the client may send another request after this one. */
  get allowsNext(): boolean {
    return this.shouldKeepAlive
  }

  /**
   * Sends a complete response. With `last` the connection ends after it. Returns the length of the body, also if
   * only the headers are sent.
   */
  sendWhole(
    status: number,
    headers: FlatHeaders,
    body: string | Uint8Array | null,
    last: boolean,
  ): number {
    const lines: string[] = []
    for (let at = 0; at < headers.length; at += 2) {
      const [name = '', value = ''] = headers.slice(at, at + 2)
      if (!isOwnedByEngine(name)) lines.push(name, value)
    }
    const bodiless = hasNoBody(status)
    const bytes = bodiless || body === null ? 0 : Buffer.byteLength(body)
    if (!bodiless) lines.push('Content-Length', String(bytes))
    lines.push('Date', dateLine().slice('Date: '.length, -'\r\n'.length))
    // For all others Node sets the `Connection` header itself.
    if (last) lines.push('Connection', 'close')
    this.writeHead(status, lines)
    this.endWith(bodiless || this.req.method === 'HEAD' ? null : body)
    return bytes
  }

  /** Keeps Node from closing the connection after the last response; false if it closes anyway. */
  leaveOpen(): boolean {
    return false
  }

  protected endWith(body: string | Uint8Array | null): void {
    if (body === null || body.length === 0) this.end()
    else if (typeof body === 'string') this.end(body, 'utf8')
    else this.end(body)
  }
}
