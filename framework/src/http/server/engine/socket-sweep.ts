import { Socket } from 'node:net'
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

/**
 * Response bytes accepted by the operating system. `bytesWritten` counts a large write as a whole; only
 * the undocumented handle (with TLS that of the underlying socket) knows its progress. Node's own
 * timeouts use it too.
 */
export function sentBytes(socket: Socket): number {
  const handle = property(socket, '_handle')
  const raw = property(handle, '_parent') ?? handle
  return numberIn(raw, 'bytesWritten') - numberIn(raw, 'writeQueueSize')
}

/** The same with the public API: a write counts when all of it was accepted. */
export function writtenBytes(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}

/** The field that `sentBytes` needs and this Node lacks; null if it has all of them. */
export function probeSentBytes(handle: unknown = sampleHandle()): string | null {
  if (handle === null || handle === undefined) return '_handle'
  const fields = ['bytesWritten', 'writeQueueSize']
  const missing = fields.find((field) => typeof property(handle, field) !== 'number')
  return missing === undefined ? null : `_handle.${missing}`
}

// Connecting creates a handle; destroyed immediately, the socket sends nothing.
function sampleHandle(): unknown {
  const socket = new Socket()
  socket.connect({ host: '127.0.0.1', port: 9 })
  const handle = property(socket, '_handle')
  socket.destroy()
  return handle
}

function numberIn(handle: unknown, name: string): number {
  const value = property(handle, name)
  return typeof value === 'number' ? value : 0
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
