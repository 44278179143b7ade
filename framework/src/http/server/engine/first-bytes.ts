import type { Readable, Writable } from 'node:stream'

/**
 * Resolves when a stream has data, has ended, or the receiver is gone. Headers are sent only then, so
 * that a source that fails immediately becomes an error response instead of a closed connection.
 * @throws the error of a stream that fails before its first byte.
 */
export function firstBytes(body: Readable, receiver: Writable): Promise<void> {
  // Keeps a listener for an error between this promise and the next reader.
  body.on('error', () => {})
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      for (const event of events) body.off(event, settle)
      receiver.off('close', settle)
      if (body.errored === null) resolve()
      else reject(body.errored)
    }
    const events = ['readable', 'end', 'error', 'close'] as const
    if (body.readableLength > 0 || body.destroyed || body.readableEnded) return settle()
    for (const event of events) body.on(event, settle)
    receiver.on('close', settle)
  })
}
