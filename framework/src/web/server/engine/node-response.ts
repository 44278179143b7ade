import { nodeHttp } from './node-http.ts'

/**
 * The response object `node:http` makes for each request. It takes a finished head in one piece,
 * where `writeHead` would look at each header again, and writes it straight to the socket, where
 * `end` would first prepare for more to come. That rests on fields Node does not document:
 * `docs/decisions/0002-http-engine.md` has the reasons, and tests on raw bytes fail should they change.
 */
export class NodeResponse extends nodeHttp.ServerResponse {
  declare _header: string | null
  declare _headerSent: boolean
  declare _last: boolean
  declare maxRequestsOnConnectionReached: boolean | undefined

  /** Sends a head and a body that matches it. `last` ends the connection behind it. */
  sendWhole(status: number, head: string, body: string | Uint8Array | null, last: boolean): void {
    this.statusCode = status
    this._header = head
    this._last = last
    if (!last && (body === null || typeof body === 'string') && this.#writeNow(head, body)) return
    if (body === null || body.length === 0) this.end()
    else if (typeof body === 'string') this.end(body, 'utf8')
    else this.end(body)
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
