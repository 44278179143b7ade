import type { Socket } from 'node:net'
import type { DueResponse } from './due-response.ts'
import type { Progress } from './socket-sweep.ts'

/** What came in on a connection that waits for its next request; null while an answer is due. */
export function incomingBytes(due: DueResponse): Progress {
  // Nothing is due once an answer is written, but a client that reads slowly may not have all of it.
  return (socket) => (socket.writableLength > 0 || due(socket) !== null ? null : socket.bytesRead)
}

/**
 * What a client took of its answer; null when it has all of it. One that takes nothing holds memory or
 * an open file, and asking costs an attacker next to nothing. Who reads slowly is left alone, and so is
 * a connection that waits for its handler.
 */
export function outgoingBytes(sent: (socket: Socket) => number): Progress {
  return (socket) => (socket.writableLength === 0 ? null : sent(socket))
}
