import { InvalidArgumentException } from '../../base/errors.ts'

/**
 * Encodes a payload as JSON.
 * @throws InvalidArgumentException when it is not JSON or longer than `maxBytes`.
 */
export function encodePayload(payload: unknown, maxBytes: number): Buffer {
  const bytes = Buffer.from(jsonOf(payload))
  if (bytes.length <= maxBytes) return bytes
  throw invalidPayload(
    `at most ${maxBytes} bytes of JSON, got ${bytes.length}; store large data elsewhere`,
  )
}

/** Reverses `encodePayload`. */
export function decodePayload(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString())
}

function jsonOf(payload: unknown): string {
  let text: unknown
  try {
    text = JSON.stringify(payload)
  } catch {
    // The error is not passed on: its message may contain parts of the payload.
    throw invalidPayload('JSON, got a value with a bigint or a circular reference')
  }
  if (typeof text === 'string') return text
  throw invalidPayload(`JSON, got ${typeof payload}`)
}

function invalidPayload(expected: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', `a job payload must be ${expected}`)
}
