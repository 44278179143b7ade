import type { Socket } from 'node:net'

interface Seen {
  readonly sent: number
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
      if (socket.writableLength === 0) continue
      const sent = sentBytes(socket)
      const seen = this.#seen.get(socket)
      if (seen === undefined || seen.sent !== sent) this.#seen.set(socket, { sent, sinceMs: nowMs })
      else if (nowMs - seen.sinceMs >= this.#patienceMs) socket.destroy()
    }
  }
}

// Bytes that the system has taken. A large write counts as a whole until its last byte is gone; how
// far it is, only the handle knows, and with TLS the one below. Node's own timeouts look there too.
function sentBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  const raw = property(handle, '_parent') ?? handle
  return numberIn(raw, 'bytesWritten') - numberIn(raw, 'writeQueueSize')
}

function numberIn(handle: unknown, name: string): number {
  const value = property(handle, name)
  return typeof value === 'number' ? value : 0
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
