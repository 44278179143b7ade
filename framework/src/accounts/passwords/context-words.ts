import { comparable } from './password-text.ts'

/** What a password must not consist of alone: the e-mail of its owner and the names of the site. */
export interface PasswordWords {
  readonly email: string
  /** Names and addresses of the site: `Corner Shop`, `https://shop.example`. */
  readonly site: readonly string[]
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
export function isMadeOfContext(password: string, { email, site }: PasswordWords): boolean {
  // Longer addresses are refused anyway, and would take long to search for.
  const words = [email.slice(0, maxEmailLength), ...site]
    .flatMap(wordsOf)
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
