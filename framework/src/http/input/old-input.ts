import { isSecretKey } from '../../base/is-secret-key.ts'

/** Fields that hold secrets although `isSecretKey` does not recognise their names. */
const secretFields = /^(?:current|otp|pin|cvc|cvv|ssn)$/i

/** Of names and values together, as JSON; a session holds at most 64 KiB of it. */
const maxBytes = 16_384

/**
 * The fields to show again with a form: without passwords, tokens and other fields that have the name
 * of a secret, and at most 16 KiB of JSON.
 */
export function oldInput<Value extends string | readonly string[]>(
  fields: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const kept: Record<string, Value> = {}
  let bytes = 0
  for (const [name, value] of Object.entries(fields)) {
    if (isSecretField(name) || name === '__proto__') continue
    const size = jsonBytes(name) + jsonBytes(value)
    if (bytes + size > maxBytes) continue
    bytes += size
    kept[name] = value
  }
  return kept
}

/** Whether a field has the name of a secret, such as `password`. */
export function isSecretField(name: string): boolean {
  // In a form it is what somebody writes below letters.
  return name !== 'signature' && (isSecretKey(name) || secretFields.test(name))
}

// As JSON a control character takes six bytes. A longer text is not converted only to be measured.
function jsonBytes(value: string | readonly string[]): number {
  if (typeof value !== 'string') {
    // At least the quotes and a comma for each text.
    return value.reduce((bytes, text) => bytes + jsonBytes(text) + 1, 2)
  }
  return value.length > maxBytes ? value.length : Buffer.byteLength(JSON.stringify(value))
}
