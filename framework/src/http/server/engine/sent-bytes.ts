import { Socket } from 'node:net'

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
