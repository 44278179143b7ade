import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as Data from './common-passwords-data.ts'

/**
 * The common passwords in lower case: each of `whole`, and each stem, alone or followed by one of
 * the endings. Stored in parts they take a fraction of the space.
 */
export interface CommonPasswords {
  readonly whole: ReadonlySet<string>
  readonly stems: ReadonlySet<string>
  readonly endings: ReadonlySet<string>
}

// Loaded on demand: only a process in which someone chooses a password needs the words.
const require = createRequire(import.meta.url)
const fileEnding = extname(import.meta.filename)
let known: CommonPasswords | null = null

/** Characters of the longest ending. */
const maxEndingLength = 9

/** Whether a password is one of the first an attacker tries, regardless of case. */
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
 * The list, built on first use the way people build such passwords: a word, a name or a keyboard
 * walk, and a usual ending.
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

/** Repeated keys, groups of digits, years. */
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

/** Parts of a keyboard walk of at least four keys, in both directions; short ones also doubled. */
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

/** A word and its usual spellings with digits and signs for letters. */
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
