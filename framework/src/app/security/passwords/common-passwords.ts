import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as Data from './common-passwords-data.ts'

/**
 * The common passwords, all in lower case: each of `whole`, and each stem, alone or with one of the
 * endings behind it. Kept in parts they take a fraction of the room.
 */
export interface CommonPasswords {
  readonly whole: ReadonlySet<string>
  readonly stems: ReadonlySet<string>
  readonly endings: ReadonlySet<string>
}

// Only a process in which somebody chooses a password needs the words.
const require = createRequire(import.meta.url)
const fileEnding = extname(import.meta.filename)
let known: CommonPasswords | null = null

/** Characters of the longest ending there is. */
const maxEndingLength = 9

/** Whether a password is one of those that are tried first; capitals make no difference. */
export function isCommonPassword(password: string): boolean {
  const { whole, stems, endings } = commonPasswords()
  const text = password.normalize('NFC').toLowerCase()
  if (whole.has(text) || stems.has(text)) return true
  for (let length = 1; length <= maxEndingLength && length < text.length; length += 1) {
    if (endings.has(text.slice(-length)) && stems.has(text.slice(0, -length))) return true
  }
  return false
}

/**
 * The list, put together when it is first asked for, by the rules by which people make such
 * passwords: a word, a name or a walk over the keyboard, and what is usually put behind it.
 */
export function commonPasswords(): CommonPasswords {
  if (known !== null) return known
  const { singles, words, endings, walks } = loadData()
  const doubled = words.filter(({ length }) => length <= 8).map((word) => word + word)
  known = {
    whole: new Set([...singles, ...doubled, ...repeats(), ...walks.flatMap(stretches)]),
    stems: new Set(words.flatMap(disguises)),
    endings: new Set(endings),
  }
  return known
}

function loadData(): typeof Data {
  return require(`./common-passwords-data${fileEnding}`)
}

/** One key again and again, groups of digits, years. */
function* repeats(): Generator<string> {
  for (const key of 'abcdefghijklmnopqrstuvwxyz0123456789.*-!') {
    for (let length = 4; length <= 16; length += 1) yield key.repeat(length)
  }
  for (let pair = 0; pair < 100; pair += 1) {
    const digits = String(pair).padStart(2, '0')
    for (let times = 2; times <= 6; times += 1) yield digits.repeat(times)
  }
  for (let triple = 0; triple < 1_000; triple += 1) yield String(triple).padStart(3, '0').repeat(3)
  for (let year = 1940; year <= 2035; year += 1) yield* [String(year), String(year).repeat(2)]
}

/** Parts of a walk of four keys and more, there and back, alone and the short ones twice. */
function stretches(walk: string): string[] {
  const found: string[] = []
  for (const path of [walk, walk.split('').toReversed().join('')]) {
    for (let length = 4; length <= path.length; length += 1) {
      for (let at = 0; at + length <= path.length; at += 1) {
        const part = path.slice(at, at + length)
        found.push(part)
        if (length <= 6) found.push(part + part)
      }
    }
  }
  return found
}

/** A word, and the usual ways to write it with signs in place of letters. */
function disguises(word: string): string[] {
  return [
    word,
    word.replaceAll('a', '@'),
    word.replaceAll('o', '0'),
    word.replaceAll('s', '$'),
    word.replaceAll('e', '3'),
    word.replaceAll('i', '1'),
    word.replaceAll('a', '@').replaceAll('o', '0'),
    word.replaceAll('a', '4').replaceAll('e', '3').replaceAll('o', '0').replaceAll('i', '1'),
    word.replaceAll('a', '@').replaceAll('s', '$').replaceAll('o', '0').replaceAll('i', '1'),
  ]
}
