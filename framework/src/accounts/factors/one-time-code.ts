import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seconds for which a code is shown. */
export const stepSeconds = 30

/** Digits of a code. */
export const codeDigits = 6

/** How many steps the clock of a phone may be ahead or behind. */
const drift = 1

/** The number of the time step of a time in epoch seconds (RFC 6238). */
export function timeStep(now: number): number {
  return Math.floor(now / stepSeconds)
}

/** The code of a counter (RFC 4226), which for an authenticator app is the number of a time step. */
export function oneTimeCode(
  secret: Uint8Array,
  counter: number,
  digits: number = codeDigits,
): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const digest = createHmac('sha1', secret).update(message).digest()
  const offset = digest.readUInt8(digest.length - 1) & 15
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** A typed code without the spaces that apps show; null if it is not six digits. */
export function readOneTimeCode(text: string): string | null {
  const digits = text.replace(/\s/g, '')
  return digits.length === codeDigits && /^[0-9]+$/.test(digits) ? digits : null
}

/**
 * The time step of a code, if it is one that may be used now and comes after the step `last`; null
 * otherwise. If two steps have the same code it is the later one, so that the code cannot be used
 * again.
 */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  { now, last }: { readonly now: number; readonly last: number },
): number | null {
  const current = timeStep(now)
  const typed = Buffer.from(code)
  let found: number | null = null
  // Every step is compared, so that the time taken does not reveal which one matched.
  for (let step = current - drift; step <= current + drift; step += 1) {
    const expected = Buffer.from(oneTimeCode(secret, step))
    const isEqual = typed.length === expected.length && timingSafeEqual(typed, expected)
    if (isEqual && step > last) found = step
  }
  return found
}
