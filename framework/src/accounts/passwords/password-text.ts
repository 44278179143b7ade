/** Maximum length of a password in bytes; a longer one is rejected, never truncated. */
export const maxPasswordLength = 1_024

/**
 * The bytes of a password as they are hashed; null if it is empty, too long or not well-formed.
 *
 * The text is normalized to NFC (as in RFC 8265): one keyboard writes ä as one character, another
 * as two, and both must work. NFKC would go too far: it turns ² into 2.
 */
export function passwordBytes(password: string): Buffer | null {
  // All lone surrogates encode to the same bytes, so they would be the same password.
  if (password === '' || isTooLong(password) || !password.isWellFormed()) return null
  const bytes = Buffer.from(password.normalize('NFC'))
  return bytes.length > maxPasswordLength ? null : bytes
}

/**
 * A password as it is compared with words: in lower case, without invisible characters, and with one form of
 * each letter (NFKC). For comparisons only, never for what is hashed.
 */
export function comparable(text: string): string {
  return text.normalize('NFKC').replaceAll(invisible, '').toLowerCase()
}

const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

// Checked before the normalization, whose cost grows with the length.
function isTooLong(password: string): boolean {
  return password.length > maxPasswordLength || Buffer.byteLength(password) > maxPasswordLength
}
