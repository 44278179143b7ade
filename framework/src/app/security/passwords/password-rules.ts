import { isCommonPassword } from './common-passwords.ts'
import { passwordBytes } from './password-text.ts'

/** What a new password is held against. */
export interface PasswordSurroundings {
  /** The address of the account. */
  readonly email: string
  /** The password as it was typed again, where it was asked for twice. */
  readonly confirmation?: string
}

const shortest = 8

/**
 * What is wrong with a new password, as a sentence for the person who chose it; null when nothing is.
 * There is no rule about digits and capitals: such rules make passwords alike, not strong.
 */
export function passwordProblem(
  password: string,
  { email, confirmation }: PasswordSurroundings,
): string | null {
  // Before it is counted: that costs with its length.
  if (password !== '' && passwordBytes(password) === null) return unusable(password)
  if (Array.from(password.normalize('NFC')).length < shortest) {
    return `Use at least ${shortest} characters.`
  }
  if (folded(password) === folded(email)) return 'Your e-mail address cannot be your password.'
  if (isCommonPassword(password)) {
    return 'This password is among the first that others would try. Choose another one.'
  }
  if (confirmation !== undefined && confirmation !== password) {
    return 'The two passwords are not the same.'
  }
  return null
}

function unusable(password: string): string {
  if (!password.isWellFormed()) return 'This password holds a broken character.'
  // Without a number: how many characters fit depends on what they are.
  return 'This password is too long. Choose a shorter one.'
}

function folded(text: string): string {
  return text.normalize('NFC').trim().toLowerCase()
}
