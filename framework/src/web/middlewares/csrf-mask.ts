import { randomBytes } from 'node:crypto'

/** Bytes of a token. */
export const tokenBytes = 32

const maskedForm = /^[\w-]{86}$/

/**
 * A token as it may stand on a page: behind a pad of its own in each answer, so that no two are
 * alike and the length of a compressed page gives nothing away (BREACH).
 */
export function maskToken(token: Buffer): string {
  const pad = randomBytes(tokenBytes)
  return Buffer.concat([pad, combined(pad, token)]).toString('base64url')
}

/** The token behind its mask; null for a text that cannot hold one. */
export function unmaskToken(text: string): Buffer | null {
  if (!maskedForm.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return combined(bytes.subarray(0, tokenBytes), bytes.subarray(tokenBytes))
}

function combined(one: Buffer, other: Buffer): Buffer {
  const bytes = Buffer.alloc(one.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (one[at] ?? 0) ^ (other[at] ?? 0)
  return bytes
}
