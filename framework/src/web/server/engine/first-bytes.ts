import type { Readable, Writable } from 'node:stream'

/**
 * Resolves once a stream has something to give, is through, or nobody waits for it any more.
 * Until then nothing has been said about the answer, so that one whose source breaks at once is an
 * error like any other and not a connection that is cut.
 * @throws what broke the stream before its first byte.
 */
export function firstBytes(body: Readable, receiver: Writable): Promise<void> {
  // An error between this promise and whoever reads next finds a listener too.
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
