import { InvalidArgumentException } from '../base/errors.ts'

/** What is sealed in a job. */
export interface JobContent {
  readonly payload: unknown
  /** The `traceparent` of the span that pushed it; null if there was none. */
  readonly origin: string | null
}

/** Begins a content with an origin; no JSON text begins with it. */
const originMark = '@'

/**
 * Encodes a payload as JSON, after the origin and a line break if there is one. Contents without an
 * origin look as before there were any, so that older workers can read them.
 * @throws InvalidArgumentException when it is not JSON or longer than `maxBytes`.
 */
export function encodePayload({ payload, origin }: JobContent, maxBytes: number): Buffer {
  const bytes = Buffer.from(jsonOf(payload))
  if (bytes.length <= maxBytes) {
    return origin === null ? bytes : Buffer.concat([Buffer.from(`${originMark}${origin}\n`), bytes])
  }
  throw invalidPayload(
    `at most ${maxBytes} bytes of JSON, got ${bytes.length}; store large data elsewhere`,
  )
}

/** Reverses `encodePayload`. */
export function decodePayload(bytes: Buffer): JobContent {
  const text = bytes.toString()
  if (!text.startsWith(originMark)) return { payload: JSON.parse(text), origin: null }
  const end = text.indexOf('\n')
  return { payload: JSON.parse(text.slice(end + 1)), origin: text.slice(originMark.length, end) }
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
