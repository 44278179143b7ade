import { isSecretKey } from '../../base/is-secret-key.ts'
import type { Values } from './query.ts'

/** Names of fields that hold secrets, though nothing in them says so. */
const secretFields = /^(?:current|otp|pin|cvc|cvv|ssn)$/i

/** Bytes of names and values together: a session holds no more than 64 KiB. */
const maxBytes = 16_384

/**
 * What may be kept of a form that is shown again: no password, no token, nothing else whose name
 * says that it is secret, and nothing beyond 16 KiB.
 */
export function oldInput(fields: Values): Record<string, string> {
  const kept: Record<string, string> = {}
  let bytes = 0
  for (const [name, value] of Object.entries(fields)) {
    if (isSecretKey(name) || secretFields.test(name) || name === '__proto__') continue
    const size = Buffer.byteLength(name) + Buffer.byteLength(value)
    if (bytes + size > maxBytes) continue
    bytes += size
    kept[name] = value
  }
  return kept
}
