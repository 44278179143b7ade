import { isSecret, isSecretKey, secretHint } from './is-secret-key.ts'

/** Replaces a secret value. */
export const REDACTED = '[redacted]'

const sign = /[:=]/g
const signRest = /[=>]{0,2}/y
const nameCharacter = /[\w.$[\]%-]/
const maxNameLength = 128
const maxSpaces = 9

/** A name and where its value starts. */
interface Named {
  readonly name: string
  /** Where the name starts. */
  readonly from: number
  /** The quotation mark behind the name, or empty. */
  readonly nameQuote: string
  /** All of `=`, `:`, `=>` and the like. */
  readonly sign: string
  /** Whether there is a space between name and value. */
  readonly isSpaced: boolean
  /** Where the value starts, or its quotation mark. */
  readonly value: number
}

/** A part of a text. */
interface Range {
  readonly start: number
  readonly end: number
}

/**
 * Redacts every value behind a secret name: `name=value`, `name: value`, `name = 'value'`, JSON, also JSON in
 * a text of JSON, header lines, and what `util.inspect` writes. In doubt about where a value ends it redacts
 * more, up to the end of the line. Of source code only texts in quotes are values: `token = mint()` is none.
 */
export function maskNamed(text: string, isSource: boolean): string {
  if (!secretHint.test(text)) return text
  if (!text.includes('\u001b[')) return maskValues(text, isSource)
  // Colours stand between a name and its value.
  const plain = process.getBuiltinModule('node:util').stripVTControlCharacters(text)
  const masked = maskValues(plain, isSource)
  return masked === plain ? text : masked
}

function maskValues(text: string, isSource: boolean): string {
  const braces = new Braces(text)
  let masked = ''
  let done = 0
  for (const { index } of text.matchAll(sign)) {
    if (index < done) continue
    const named = namedAt(text, index, done)
    if (named === null || isOther(text, named) || isErrorCode(text, named)) continue
    const value = isSource ? sourceValue(text, named) : valueOf(text, named, braces)
    if (value === null || value.start === value.end) continue
    masked += text.slice(done, value.start) + REDACTED
    done = value.end
    braces.skipTo(done)
  }
  return done === 0 ? text : masked + text.slice(done)
}

/** The secret name in front of a sign; null if there is none. Looks back a bounded number of characters. */
function namedAt(text: string, at: number, done: number): Named | null {
  let end = at
  while (end > done && at - end < maxSpaces && isBlank(text[end - 1])) end -= 1
  const isSpacedBefore = end < at
  const last = end
  while (end > done && last - end < maxSpaces && isCloser(text[end - 1])) end -= 1
  let from = end
  while (from > done && end - from < maxNameLength && isNameCharacter(text[from - 1])) from -= 1
  if (from === end) return null
  const name = decoded(text.slice(from, end))
  if (!isSecretKey(name)) return null
  signRest.lastIndex = at + 1
  const rest = text[at + 1] === ':' ? ':' : (signRest.exec(text)?.[0] ?? '')
  const afterSign = at + 1 + rest.length
  const value = valueStart(text, afterSign)
  return {
    name,
    from,
    nameQuote: end < last ? text.charAt(last - 1) : '',
    sign: text.slice(at, afterSign),
    isSpaced: isSpacedBefore || value > afterSign,
    value,
  }
}

// A text in quotes, a list or an object may stand on the next line; a word there would be something else.
function valueStart(text: string, from: number): number {
  let at = from
  while (isBlank(text[at])) at += 1
  let next = at
  while (next - at < maxNameLength && isSpace(text[next])) next += 1
  if (next === at) return at
  structureStart.lastIndex = next
  return isQuote(text[next]) || structureStart.test(text) ? next : at
}

const extension = /\.(?:[cm]?[jt]sx?|css|env|eta|go|html|java|json|md|php|py|rb|sql|ya?ml)$/
const errorTitle = /(?:Error|Exception|Warning)$|^\[?(?:E|ERR?)_[A-Z\d_]+\]?$/
const plainWord = /(?:true|false|null|undefined)(?=\s*(?:[,}\])\r\n]|$))/y

/** Whether it only looks like a name and a value, or the value gives nothing away. */
function isOther(text: string, { name, from, sign, value }: Named): boolean {
  if (sign === '::') return true
  plainWord.lastIndex = value
  if (plainWord.test(text)) return true
  if (sign !== ':') return false
  if (errorTitle.test(name)) return true
  if (!isDigit(text[value])) return false
  // The place in a file, and the port of a URL.
  return extension.test(name) || text.endsWith('://', from)
}

const firstWord = /(\\*['"`]?)([\w-]{0,128})(\1)/y

/** Whether a value is the code of an error or of a process, which is not secret. */
function isErrorCode(text: string, { name, from, value }: Named): boolean {
  // In a query a `code` always comes from outside.
  if (name !== 'code' || text[from - 1] === '?' || text[from - 1] === '&') return false
  firstWord.lastIndex = value
  const [, quote = '', word = ''] = firstWord.exec(text) ?? []
  return word !== '' && !isSecret(name, quote === '' && /^-?\d+$/.test(word) ? Number(word) : word)
}

function sourceValue(text: string, named: Named): Range | null {
  const { sign, isSpaced, nameQuote, value } = named
  const quoted = quotedAt(text, value)
  if (quoted === null) return sign === '=' && !isSpaced ? pairValue(text, value) : null
  // `a === 'b'` compares, and so does `"a" = "b"`, where both are columns.
  const isColumn = nameQuote !== '' && nameQuote !== "'" && nameQuote === text[value]
  return sign === ':' || (sign === '=' && !isColumn) ? quoted : null
}

const statement =
  /^\s*(?:SELECT\b[^]*\b(?:FROM|WHERE)\b|INSERT INTO\b|UPDATE\b[^]*\bSET\b|DELETE FROM\b|WITH\b[^]*\bAS\b)/

function valueOf(text: string, named: Named, braces: Braces): Range | null {
  const { name, sign, isSpaced, value } = named
  // In SQL `token = other` is a condition, and `token = $1` has its value elsewhere.
  if (sign === '=' && statement.test(text)) return sourceValue(text, named)
  const quoted = quotedAt(text, value)
  if (quoted !== null) return quoted
  if (sign === '=' && !isSpaced) return pairValue(text, value)
  const isHeader = /^(?:proxy-)?authorization$|^(?:set-)?cookie$/i.test(name)
  if (!isHeader && braces.isInside(value)) return { start: value, end: endOfMember(text, value) }
  return { start: value, end: endOfLine(text, structure(text, value) ?? value) }
}

const pair = /[^&\s#"<>]*/y
const placeholder = /^(?:\?|\$\d{1,4})[),;]*$/

/** The value of a query, a form, or a word such as `token=abc`; null for the placeholder of a statement. */
function pairValue(text: string, start: number): Range | null {
  pair.lastIndex = start
  const value = pair.exec(text)?.[0] ?? ''
  return placeholder.test(value) ? null : { start, end: start + value.length }
}

const opener = /\\*['"`]/y
const joint = /\s{0,200}\+\s{0,200}/y

/** What is between quotes, and between those that are joined to it with `+`; null without quotes. */
function quotedAt(text: string, at: number): Range | null {
  opener.lastIndex = at
  const opening = opener.exec(text)?.[0]
  if (opening === undefined) return null
  const start = at + opening.length
  let closing = closingQuote(text, start, opening)
  for (;;) {
    joint.lastIndex = closing.end
    const next = closing.end + (joint.exec(text)?.[0].length ?? 0)
    if (next === closing.end || !text.startsWith(opening, next))
      return { start, end: closing.start }
    closing = closingQuote(text, next + opening.length, opening)
  }
}

// A text in a text of JSON is in `\"`, its own quotes in `\\\"`: more backslashes are deeper inside. A text
// that ends in a backslash seems to go on; then more is redacted.
function closingQuote(text: string, start: number, opening: string): Range {
  const quote = opening.at(-1) ?? ''
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + 1)) {
    let from = at
    while (from > start && text[from - 1] === '\\') from -= 1
    if (at - from < opening.length) return { start: from, end: at + 1 }
  }
  return { start: text.length, end: text.length }
}

const structureStart = /(?:<ref \*\d+> )?(?:[\w$.]{1,128}(?:\(\d+\))? )?[{[]/y

/** The end of a list or an object, such as `[ 'x' ]` or `Headers { … }`; null where none starts. */
function structure(text: string, start: number): number | null {
  structureStart.lastIndex = start
  return structureStart.test(text) ? endOfNesting(text, start, (depth) => depth === 0) : null
}

/** The end of a value inside an object. */
function endOfMember(text: string, start: number): number {
  const end = endOfNesting(
    text,
    start,
    (depth, character) => depth < 0 || (depth === 0 && (character === ',' || character === '\n')),
  )
  return trimmedEnd(text, start, end)
}

function endOfNesting(
  text: string,
  start: number,
  isEnd: (depth: number, character: string) => boolean,
): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isQuote(character)) {
      let from = at
      while (from > start && text[from - 1] === '\\') from -= 1
      at = closingQuote(text, at + 1, text.slice(from, at + 1)).end - 1
    } else if (character === '{' || character === '[' || character === '(') depth += 1
    else if (character === '}' || character === ']' || character === ')') {
      depth -= 1
      if (isEnd(depth, character)) return depth < 0 ? at : at + 1
    } else if (isEnd(depth, character)) return at
  }
  return text.length
}

function endOfLine(text: string, start: number): number {
  const end = /[\r\n]/g
  end.lastIndex = start
  return trimmedEnd(text, start, end.exec(text)?.index ?? text.length)
}

function trimmedEnd(text: string, start: number, end: number): number {
  let at = end
  while (at > start && isSpace(text[at - 1])) at -= 1
  return at
}

/** Whether a place in a text is inside `{ }`, counted once from the start to the end. */
class Braces {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  isInside(place: number): boolean {
    for (; this.#at < place; this.#at += 1) {
      const character = this.#text[this.#at]
      if (character === '{') this.#depth += 1
      else if (character === '}' && this.#depth > 0) this.#depth -= 1
    }
    return this.#depth > 0
  }

  /** Leaves out a value, which may contain braces of its own. */
  skipTo(place: number): void {
    this.#at = Math.max(this.#at, place)
  }
}

/** A text without its %xx; the same if it is not encoded properly. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isNameCharacter(character: string | undefined): boolean {
  return character !== undefined && nameCharacter.test(character)
}

const isBlank = isOneOf(' \t')
const isSpace = isOneOf(' \t\r\n')
const isQuote = isOneOf('"\'`')
const isCloser = isOneOf('"\'`\\)')
const isDigit = isOneOf('0123456789')

function isOneOf(characters: string): (character: string | undefined) => boolean {
  return (character) => character !== undefined && characters.includes(character)
}
