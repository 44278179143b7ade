const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const bitsPerDigit = 5

/** Bytes as base32 (RFC 4648) in capitals, without padding. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let pending = 0
  let bits = 0
  for (const byte of bytes) {
    pending = (pending << 8) | byte
    bits += 8
    while (bits >= bitsPerDigit) {
      bits -= bitsPerDigit
      text += alphabet.charAt(pending >> bits)
      pending &= (1 << bits) - 1
    }
  }
  return bits === 0 ? text : text + alphabet.charAt(pending << (bitsPerDigit - bits))
}

/** The bytes of a base32 text, in any case and with or without padding; null if it is not one. */
export function fromBase32(text: string): Buffer | null {
  const digits = text.toUpperCase().replace(/=+$/, '')
  const bytes: number[] = []
  let pending = 0
  let bits = 0
  for (const digit of digits) {
    const value = alphabet.indexOf(digit)
    if (value === -1) return null
    pending = (pending << bitsPerDigit) | value
    bits += bitsPerDigit
    if (bits < 8) continue
    bits -= 8
    bytes.push(pending >> bits)
    pending &= (1 << bits) - 1
  }
  // What is left over is padding: less than one digit, and zero.
  return bits < bitsPerDigit && pending === 0 ? Buffer.from(bytes) : null
}
