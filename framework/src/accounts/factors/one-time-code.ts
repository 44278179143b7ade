import { createHmac } from 'node:crypto'

/** Seconds for which a code is shown. */
export const stepSeconds = 30

/** Digits of a code. */
export const codeDigits = 6

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
