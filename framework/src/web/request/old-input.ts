import { isSecretKey } from '../../base/is-secret-key.ts'
import type { Values } from './query.ts'

/** Fields that hold secrets although `isSecretKey` does not recognise their names. */
const secretFields = /^(?:current|otp|pin|cvc|cvv|ssn)$/i

/** Of names and values together, as JSON; a session holds at most 64 KiB of it. */
const maxBytes = 16_384

/**
 * The fields to show again with a form: without passwords, tokens and other fields that have the name
 * of a secret, and at most 16 KiB of JSON.
 */
export function oldInput(fields: Values): Record<string, string> {
  const kept: Record<string, string> = {}
  let bytes = 0
  for (const [name, value] of Object.entries(fields)) {
    if (isSecretKey(name) || secretFields.test(name) || name === '__proto__') continue
    const size = jsonBytes(name) + jsonBytes(value)
    if (bytes + size > maxBytes) continue
    bytes += size
    kept[name] = value
  }
  return kept
}

// As JSON a control character takes six bytes. A longer text is not converted only to be measured.
function jsonBytes(text: string): number {
  return text.length > maxBytes ? text.length : Buffer.byteLength(JSON.stringify(text))
}
