import type { BreachedPasswords } from './breached-passwords.ts'
import { comparable, isCommonPassword } from './common-passwords.ts'
import { maxPasswordLength, passwordBytes } from './password.ts'

/** The form in which a password was chosen. */
export interface PasswordContext {
  /** The e-mail of the account. */
  readonly email: string
  /** The repeated password, if the form asks for it. */
  readonly confirmation?: string
  /** Names and addresses of the site, which are no passwords either. @default [] */
  readonly site?: readonly string[]
}

/** Options of `PasswordRules`. */
export interface PasswordRulesOptions {
  /** Names and addresses of the site: `['Corner Shop', 'https://shop.example']`. @default [] */
  readonly site?: readonly string[]
  /** The passwords of known breaches. @default null */
  readonly breaches?: BreachedPasswords | null
}

/** The rules for new passwords of one site. */
export class PasswordRules {
  readonly #site: readonly string[]
  readonly #breaches: BreachedPasswords | null

  constructor({ site = [], breaches = null }: PasswordRulesOptions = {}) {
    this.#site = site
    this.#breaches = breaches
  }

  /**
   * What is wrong with a new password, as a sentence for the person who chose it; null if it is fine.
   * Breaches are consulted only about a password without another problem.
   */
  async problem(password: string, context: PasswordContext): Promise<string | null> {
    const problem = passwordProblem(password, { site: this.#site, ...context })
    if (problem !== null || this.#breaches === null) return problem
    return (await this.#breaches.has(password)) ? breached : null
  }
}

const minLength = 8
const breached = 'This password has appeared in a data breach. Choose another one.'

/**
 * What is wrong with a new password, as a sentence for the person who chose it; null if it is fine.
 * Digits or capitals are not required: such rules make passwords similar, not strong.
 */
export function passwordProblem(
  password: string,
  { email, confirmation, site = [] }: PasswordContext,
): string | null {
  // First, because counting the characters of a very long text is expensive.
  if (password !== '' && passwordBytes(password) === null) return unusable(password)
  if (Array.from(password.normalize('NFC')).length < minLength) {
    return 'Use at least 8 characters.'
  }
  if (folded(password) === folded(email)) return 'Your e-mail address cannot be your password.'
  if (isCommonPassword(password)) {
    return 'This password is too common. Choose another one.'
  }
  if (isMadeOf(password, [email, ...site])) {
    return 'This password is too close to your e-mail address or the name of this site.'
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

// A longer text is no password, and the cost of its normalization may grow with the square of its length.
function folded(text: string): string {
  if (text.length > maxPasswordLength) return text
  return comparable(text).trim()
}

/** Spaces and the signs on every keyboard. */
const separators = /[\s!-/:-@[-`{-~]+/g

const maxEmailLength = 254

/** A shorter word is part of too many others. */
const minWordLength = 3

/**
 * Whether a password consists only of words that everybody who attacks this account knows: parts of its
 * e-mail and names of the site, in any order and case, with separators and a few digits.
 */
function isMadeOf(password: string, names: readonly string[]): boolean {
  const words = names
    // Longer addresses are refused anyway, and would take long to search for.
    .flatMap((name) => wordsOf(name.slice(0, maxEmailLength)))
    .toSorted((one, other) => other.length - one.length)
  const text = comparable(password).replaceAll(separators, '')
  let rest = text
  for (const word of words) rest = rest.replaceAll(word, '')
  return rest !== text && /^\d{0,6}$/.test(rest)
}

/** A text, its parts, and its parts without the digits at their ends, all without separators. */
function wordsOf(text: string): string[] {
  const parts = comparable(text).split(separators)
  const plain = parts.map((part) => part.replaceAll(/^\d+|\d+$/g, ''))
  return [parts.join(''), ...parts, ...plain].filter(({ length }) => length >= minWordLength)
}
