import { Socket } from 'node:net'

/**
 * Bytes of answers that the system has taken. A large write counts as a whole until its last byte is
 * gone; how far it is, only the undocumented handle knows, and with TLS the one below. Node's own
 * timeouts look there too.
 */
export function sentBytes(socket: Socket): number {
  const handle = property(socket, '_handle')
  const raw = property(handle, '_parent') ?? handle
  return numberIn(raw, 'bytesWritten') - numberIn(raw, 'writeQueueSize')
}

/** The same by documented means: a write counts once all of it was taken. */
export function writtenBytes(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}

/** The field `sentBytes` needs and this Node lacks; null when it has all of them. */
export function probeSentBytes(handle: unknown = sampleHandle()): string | null {
  if (handle === null || handle === undefined) return '_handle'
  const fields = ['bytesWritten', 'writeQueueSize']
  const missing = fields.find((field) => typeof property(handle, field) !== 'number')
  return missing === undefined ? null : `_handle.${missing}`
}

// A handle comes with the attempt to connect; given up at once, nothing is sent.
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
