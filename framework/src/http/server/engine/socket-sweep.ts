import type { Socket } from 'node:net'
import type { DueResponse } from './due-response.ts'

/** The progress of a connection, a growing number; null while there is nothing to wait for. */
export type Progress = (socket: Socket) => number | null

interface Seen {
  readonly progress: number | null
  readonly sinceMs: number
}

const maxIntervalMs = 5000

/**
 * Closes connections that make no progress for a time. It checks all of them at an interval, so that a
 * request costs nothing; a connection may live up to a quarter longer than the timeout.
 */
export class SocketSweep {
  readonly #sockets: ReadonlySet<Socket>
  readonly #progress: Progress
  readonly #timeoutMs: number
  readonly #seen = new WeakMap<Socket, Seen>()
  readonly #timer: NodeJS.Timeout

  constructor(sockets: ReadonlySet<Socket>, progress: Progress, seconds: number) {
    this.#sockets = sockets
    this.#progress = progress
    this.#timeoutMs = seconds * 1000
    const intervalMs = Math.min(maxIntervalMs, this.#timeoutMs / 4)
    this.#timer = setInterval(() => this.#sweep(performance.now()), intervalMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #sweep(nowMs: number): void {
    for (const socket of this.#sockets) {
      const progress = this.#progress(socket)
      const seen = this.#seen.get(socket)
      if (progress === null || seen?.progress !== progress) {
        this.#seen.set(socket, { progress, sinceMs: nowMs })
      } else if (nowMs - seen.sinceMs >= this.#timeoutMs) socket.destroy()
    }
  }
}

/** Bytes received on a connection that waits for its next request; null while a response is pending. */
export function incomingBytes(due: DueResponse): Progress {
  // A written response is not pending any more, but a slow client may not have received all of it.
  return (socket) => (socket.writableLength > 0 || due(socket) !== null ? null : socket.bytesRead)
}

/**
 * Response bytes that a client has read; null if it has all of them. A client that reads nothing ties up
 * memory or an open file at no cost to an attacker. Slow readers and connections that wait for their
 * handler are not affected.
 */
export function outgoingBytes(sent: (socket: Socket) => number): Progress {
  return (socket) => (socket.writableLength === 0 ? null : sent(socket))
}
