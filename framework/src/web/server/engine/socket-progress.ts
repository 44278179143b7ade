import type { Socket } from 'node:net'

/** What came in on a connection that waits for its next request; null while an answer is due. */
export function incomingBytes(socket: Socket): number | null {
  return isAnswering(socket) ? null : socket.bytesRead
}

/**
 * What a client took of its answer; null when it has all of it. One that takes nothing holds memory or
 * an open file, and asking costs an attacker next to nothing. Who reads slowly is left alone, and so is
 * a connection that waits for its handler.
 */
export function outgoingBytes(socket: Socket): number | null {
  return socket.writableLength === 0 ? null : sentBytes(socket)
}

// Node keeps the answer that is due on a connection here, and nothing once it is written; then a
// client that reads slowly may still have much of it before it.
function isAnswering(socket: Socket): boolean {
  if (socket.writableLength > 0) return true
  const due: unknown = Reflect.get(socket, '_httpMessage')
  return due !== null && due !== undefined
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
