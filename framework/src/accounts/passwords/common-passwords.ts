import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** What people build common passwords from, in lower case. */
export interface CommonParts {
  /** Passwords as a whole: repeats, keyboard walks, doubled words and some more. */
  readonly whole: ReadonlySet<string>
  /** Words, alone or followed by one of the endings. */
  readonly stems: ReadonlySet<string>
  readonly endings: ReadonlySet<string>
}

// Read on demand: only a process in which someone chooses a password needs them.
let parts: CommonParts | null = null
let list: Buffer | null = null

/** Characters of the longest ending. */
const maxEndingLength = 9

/**
 * Whether a password of at least eight characters is one of the first an attacker tries, regardless of
 * case: it is on the list of the most used ones, or is built the way people build them.
 */
export function isCommonPassword(password: string): boolean {
  const { whole, stems, endings } = commonParts()
  const text = comparable(password)
  const isStem = (stem: string): boolean => stems.has(stem) || isListed(stem)
  if (whole.has(text) || isStem(text)) return true
  for (let length = 1; length <= maxEndingLength && length < text.length; length += 1) {
    if (endings.has(text.slice(-length)) && isStem(text.slice(0, -length))) return true
  }
  return text !== withoutYear(text) && isStem(withoutYear(text))
}

/**
 * A password as it is compared with words: in lower case, without invisible characters, and with one form of
 * each letter (NFKC). For comparisons only, never for what is hashed.
 */
export function comparable(text: string): string {
  return text.normalize('NFKC').replaceAll(invisible, '').toLowerCase()
}

const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

const lastYear = /[^\p{L}\p{N}]{0,2}(?:19|20)?\d{2}[^\p{L}\p{N}]{0,3}$/u
const firstYear = /^(?:19|20)\d{2}[^\p{L}\p{N}]{0,2}([^]*?)[^\p{L}\p{N}]{0,3}$/u

/** Without a year before or after it, and the signs around that: `winter` of `winter-2025!`. */
function withoutYear(text: string): string {
  const stem = text.replace(lastYear, '')
  return stem === text ? text.replace(firstYear, '$1') : stem
}

/**
 * The most used passwords of at least eight characters, in lower case: lines in the order of their bytes.
 * One buffer of 200 KiB, where a set of strings would take ten times as much.
 */
export function commonPasswordList(): Buffer {
  list ??= brotliDecompressSync(readFileSync(besideThis('common-passwords.br')))
  return list
}

/** Whether a text is a line of the list, by binary search. */
function isListed(text: string): boolean {
  const lines = commonPasswordList()
  const wanted = Buffer.from(`${text}\n`)
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    const start = middle === 0 ? 0 : lines.lastIndexOf('\n', middle - 1) + 1
    const end = lines.indexOf('\n', start) + 1
    const order = wanted.compare(lines, start, end)
    if (order === 0) return true
    if (order < 0) high = start
    else low = end
  }
  return false
}

/** The parts of common passwords, built on first use. */
export function commonParts(): CommonParts {
  if (parts !== null) return parts
  const text = readFileSync(besideThis('common-password-parts.txt'), 'utf8')
  const [singles = [], words = [], endings = [], walks = []] = text
    .split(/^=.*$/m)
    .slice(1)
    .map((part) => part.trim().split(/\s+/))
  const doubled = words.filter(({ length }) => length <= 8).map((word) => word + word)
  parts = {
    whole: new Set([...singles, ...doubled, ...repeats(), ...walks.flatMap(stretches)]),
    stems: new Set(words.flatMap(disguises)),
    endings: new Set(endings),
  }
  return parts
}

function besideThis(file: string): string {
  return join(import.meta.dirname, file)
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

/** A word and its common spellings with digits and signs for letters. */
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
