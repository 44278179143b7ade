import type { CustomFetch } from 'openid-client'
import { OpenIdError } from './open-id-error.ts'

/** Responses that have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * A `fetch` that reads at most so many bytes of a response, all of them before it resolves: so the signal
 * with the timeout covers the body too.
 */
export function boundedFetch(maxBytes: number): CustomFetch {
  return async (url, { body = null, signal = null, ...options }) => {
    const sent = body instanceof Uint8Array ? Uint8Array.from(body) : body
    const answer = await fetch(url, { ...options, body: sent, signal })
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of answer.body ?? []) {
      length += chunk.length
      if (length > maxBytes) throw new OpenIdError('failed', 'too_large')
      chunks.push(chunk)
    }
    const { status, headers } = answer
    const plain = new Headers(headers)
    // They are about the body as it was sent, which has been decoded.
    for (const name of ['content-encoding', 'content-length']) plain.delete(name)
    const read = bodiless.has(status) ? null : Buffer.concat(chunks)
    return new Response(read, { status, headers: plain })
  }
}
