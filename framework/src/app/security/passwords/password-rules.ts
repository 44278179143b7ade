import { isCommonPassword } from './common-passwords.ts'
import { passwordBytes } from './password-text.ts'

/** The form in which a password was chosen. */
export interface PasswordContext {
  /** The e-mail of the account. */
  readonly email: string
  /** The repeated password, if the form asks for it. */
  readonly confirmation?: string
}

const minLength = 8

/**
 * What is wrong with a new password, as a sentence for the person who chose it; null if it is fine.
 * Digits or capitals are not required: such rules make passwords similar, not strong.
 */
export function passwordProblem(
  password: string,
  { email, confirmation }: PasswordContext,
): string | null {
  // First, because counting the characters of a very long text is expensive.
  if (password !== '' && passwordBytes(password) === null) return unusable(password)
  if (Array.from(password.normalize('NFC')).length < minLength) {
    return `Use at least ${minLength} characters.`
  }
  if (folded(password) === folded(email)) return 'Your e-mail address cannot be your password.'
  if (isCommonPassword(password)) {
    return 'This password is too common. Choose another one.'
  }
  if (confirmation !== undefined && confirmation !== password) {
    return 'The passwords do not match.'
  }
  return null
}

function unusable(password: string): string {
  if (!password.isWellFormed()) return 'This password contains an invalid character.'
  // No number: how many characters fit depends on the characters.
  return 'This password is too long. Choose a shorter one.'
}

function folded(text: string): string {
  return text.normalize('NFC').trim().toLowerCase()
}
