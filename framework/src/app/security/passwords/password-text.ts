/** Bytes of the longest password; a longer one is refused, never cut. */
export const maxPasswordLength = 1_024

/**
 * The bytes of a password as they are hashed; null when it is empty, too long or no proper text.
 *
 * They are those of its normal form NFC (as RFC 8265 has it): keyboards write the same ä as one
 * character or as two, and whoever typed it on one must get in from another. The stronger form NFKC
 * would also make ² a 2, and so take away what people chose to tell apart.
 */
export function passwordBytes(password: string): Buffer | null {
  // Half a surrogate pair has no bytes of its own: all of them would be the same password.
  if (password === '' || isTooLong(password) || !password.isWellFormed()) return null
  const bytes = Buffer.from(password.normalize('NFC'))
  return bytes.length > maxPasswordLength ? null : bytes
}

// Asked before the text is brought to its normal form, which costs with its length.
function isTooLong(password: string): boolean {
  return password.length > maxPasswordLength || Buffer.byteLength(password) > maxPasswordLength
}
