import type { Socket } from 'node:net'

interface Seen {
  readonly bytesRead: number
  readonly sinceMs: number
}

const longestIntervalMs = 5000

/**
 * Closes connections that were idle for a time. It looks at all of them now and then, so that a
 * request costs nothing; a connection may live up to a quarter longer than it should.
 */
export class IdleSweep {
  readonly #sockets: ReadonlySet<Socket>
  readonly #patienceMs: number
  readonly #seen = new WeakMap<Socket, Seen>()
  readonly #timer: NodeJS.Timeout

  constructor(sockets: ReadonlySet<Socket>, seconds: number) {
    this.#sockets = sockets
    this.#patienceMs = seconds * 1000
    const intervalMs = Math.min(longestIntervalMs, this.#patienceMs / 4)
    this.#timer = setInterval(() => this.#sweep(performance.now()), intervalMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #sweep(nowMs: number): void {
    for (const socket of this.#sockets) {
      const { bytesRead } = socket
      const seen = this.#seen.get(socket)
      if (seen === undefined || seen.bytesRead !== bytesRead || isAnswering(socket)) {
        this.#seen.set(socket, { bytesRead, sinceMs: nowMs })
      } else if (nowMs - seen.sinceMs >= this.#patienceMs) {
        socket.destroy()
      }
    }
  }
}

// Node keeps the answer that is due on a connection here, and nothing once it is written; then a
// client that reads slowly may still have much of it before it.
function isAnswering(socket: Socket): boolean {
  if (socket.writableLength > 0) return true
  const due: unknown = Reflect.get(socket, '_httpMessage')
  return due !== null && due !== undefined
}
