import type { Socket } from 'node:net'

interface Seen {
  readonly taken: number
  readonly queued: number
  readonly sinceMs: number
}

const longestIntervalMs = 5000

/**
 * Cuts connections whose client takes nothing of its answer for a time: each holds memory or an open
 * file, and asking costs an attacker next to nothing. Who reads slowly is left alone, and so is a
 * connection that waits for its handler. It looks at all of them now and then, so that a request
 * costs nothing.
 */
export class StallSweep {
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
      const { bytesWritten, writableLength } = socket
      if (writableLength === 0) continue
      // What a handler adds meanwhile counts in both.
      const taken = bytesWritten - writableLength
      const queued = queuedBytes(socket)
      const seen = this.#seen.get(socket)
      if (seen === undefined || seen.taken !== taken || seen.queued !== queued) {
        this.#seen.set(socket, { taken, queued, sinceMs: nowMs })
      } else if (nowMs - seen.sinceMs >= this.#patienceMs) {
        socket.destroy()
      }
    }
  }
}

// One large write counts as a whole until its last byte is gone; how far it is, only the handle
// knows, where Node's own timeouts look too.
function queuedBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null) return 0
  const size: unknown = Reflect.get(handle, 'writeQueueSize')
  return typeof size === 'number' ? size : 0
}
