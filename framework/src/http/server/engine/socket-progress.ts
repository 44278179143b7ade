import type { Socket } from 'node:net'
import type { DueResponse } from './due-response.ts'
import type { Progress } from './socket-sweep.ts'

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
