import { InvalidArgumentException } from '../../base/errors.ts'

/**
 * A payload as the bytes of its JSON.
 * @throws InvalidArgumentException for what JSON cannot hold and for more than `most` bytes.
 */
export function encodePayload(payload: unknown, most: number): Buffer {
  const bytes = Buffer.from(jsonOf(payload))
  if (bytes.length <= most) return bytes
  throw refused(`at most ${most} bytes of JSON, got ${bytes.length}; keep the rest elsewhere`)
}

/** What `encodePayload` was given. */
export function decodePayload(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString())
}

function jsonOf(payload: unknown): string {
  let text: unknown
  try {
    text = JSON.stringify(payload)
  } catch {
    // Its message may repeat a part of the payload.
    throw refused('a value that can be written as JSON, got one with a bigint or a circle')
  }
  if (typeof text === 'string') return text
  throw refused(`a value that can be written as JSON, got ${typeof payload}`)
}

function refused(expected: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', `the payload of a job is ${expected}`)
}
