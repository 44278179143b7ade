import { dateLine } from './date-line.ts'
import type { FlatHeaders } from './engine.ts'
import { isOwnedByEngine } from './header-line.ts'
import { nodeHttp } from './node-http.ts'
import { hasNoBody } from './status.ts'

/**
 * The response object `node:http` makes for each request, with documented means only. Where Node has
 * the fields for it, a `QuickResponse` takes its place.
 */
export class NodeResponse extends nodeHttp.ServerResponse {
  /** Whether the client may send another request behind this one. */
  get allowsNext(): boolean {
    return this.shouldKeepAlive
  }

  /** Sends a whole answer. `last` ends the connection behind it. */
  sendWhole(
    status: number,
    headers: FlatHeaders,
    body: string | Uint8Array | null,
    last: boolean,
  ): void {
    const lines: string[] = []
    for (let at = 0; at < headers.length; at += 2) {
      const [name = '', value = ''] = headers.slice(at, at + 2)
      if (!isOwnedByEngine(name)) lines.push(name, value)
    }
    const bodiless = hasNoBody(status)
    if (!bodiless) lines.push('Content-Length', String(body === null ? 0 : Buffer.byteLength(body)))
    lines.push('Date', dateLine().slice('Date: '.length, -'\r\n'.length))
    // Node tells all others itself whether the connection stays.
    if (last) lines.push('Connection', 'close')
    this.writeHead(status, lines)
    this.endWith(bodiless || this.req.method === 'HEAD' ? null : body)
  }

  /** Keeps Node from closing the connection behind a last answer; false where it closes all the same. */
  leaveOpen(): boolean {
    return false
  }

  protected endWith(body: string | Uint8Array | null): void {
    if (body === null || body.length === 0) this.end()
    else if (typeof body === 'string') this.end(body, 'utf8')
    else this.end(body)
  }
}
