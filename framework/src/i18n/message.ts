import { InvalidArgumentException } from '../base/errors.ts'
import type { LanguageFormats } from './language-formats.ts'

/** The values of a message, by the names in its braces. */
export type MessageValues = Readonly<Record<string, unknown>>

/** A message that is ready to be written: parsed once, when its catalogue is read. */
export interface Message {
  /** The names of its values. */
  readonly names: ReadonlySet<string>
  format(values: MessageValues, formats: LanguageFormats): string
}

type Part = string | ((values: MessageValues, formats: LanguageFormats) => string)

/**
 * Parses a message in the syntax of ICU MessageFormat: `{name}`, `{n, number}`, `{at, date, long}`,
 * `{n, plural, =0 {none} one {# item} other {# items}}`, `{kind, select, …}`, with `'{'` for a brace. Tags are text.
 * @throws InvalidArgumentException (E_MESSAGE) that says where it is wrong.
 */
export function parseMessage(text: string): Message {
  const parser = new Parser(text)
  const parts = parser.parse()
  return { names: parser.names, format: (values, formats) => join(parts, values, formats) }
}

const styles = {
  number: /^(?:|integer|percent|::currency\/[A-Z]{3})$/,
  date: /^(?:|short|medium|long|full)$/,
  time: /^(?:|short|medium|long|full)$/,
} as const

const plain = /[^{}#']+/y
const spaces = /\s*/y

class Parser {
  readonly names = new Set<string>()
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): readonly Part[] {
    const parts = this.#parts(null)
    if (this.#at < this.#text.length) throw this.#wrong('a } that nothing opens')
    return parts
  }

  /** Up to the end or a closing brace; `#` stands for the count of a plural. */
  #parts(count: Part | null): readonly Part[] {
    const parts: Part[] = []
    let literal = ''
    const add = (part: Part): void => {
      if (literal !== '') parts.push(literal)
      literal = ''
      parts.push(part)
    }
    while (this.#at < this.#text.length) {
      literal += this.#take(plain)?.[0] ?? ''
      const sign = this.#text.charAt(this.#at)
      if (sign === '' || sign === '}') break
      if (sign === '{') add(this.#argument())
      else if (sign === '#' && count !== null) add(count)
      else literal += sign === "'" ? this.#quoted(count !== null) : sign
      this.#at += 1
    }
    if (literal !== '') parts.push(literal)
    return parts
  }

  /** `''` is an apostrophe, and so is one before anything that needs no quotes. Ends on its last sign. */
  #quoted(inPlural: boolean): string {
    const next = this.#text.charAt(this.#at + 1)
    if (next === "'") {
      this.#at += 1
      return "'"
    }
    if (next !== '{' && next !== '}' && !(inPlural && next === '#')) return "'"
    let quoted = ''
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const sign = this.#text.charAt(this.#at)
      if (sign !== "'") quoted += sign
      else if (this.#text.charAt(this.#at + 1) !== "'") break
      else {
        quoted += "'"
        this.#at += 1
      }
    }
    return quoted
  }

  /** Ends on its closing brace. */
  #argument(): Part {
    this.#at += 1
    const name = this.#word(/[^\s,{}]+/y, 'a name')
    this.names.add(name)
    if (this.#closes()) return (values, formats) => formats.escape(textOf(values, name))
    this.#expect(',')
    const kind = this.#word(/[a-z]+/y, 'number, date, time, plural, selectordinal or select')
    if (kind === 'plural' || kind === 'selectordinal') return this.#plural(name, kind)
    if (kind === 'select') return this.#select(name)
    if (kind !== 'number' && kind !== 'date' && kind !== 'time') {
      throw this.#wrong(
        `the kind "${kind}": use number, date, time, plural, selectordinal or select`,
      )
    }
    const style = this.#closes() ? '' : this.#style()
    if (!styles[kind].test(style)) throw this.#wrong(`the style "${style}" of a ${kind}`)
    if (kind === 'number') {
      return (values, formats) => formats.escape(formats.number(numberOf(values, name), style))
    }
    return (values, formats) => formats.escape(formats.moment(momentOf(values, name), kind, style))
  }

  #style(): string {
    this.#expect(',')
    const style = this.#word(/[^\s{}]+/y, 'a style')
    if (!this.#closes()) throw this.#wrong('an argument that is not closed')
    return style
  }

  #plural(name: string, kind: 'plural' | 'selectordinal'): Part {
    this.#expect(',')
    const shift = Number(this.#take(/\s*offset:(\d+)/y)?.[1] ?? 0)
    const count: Part = (values, formats) =>
      formats.escape(formats.number(Number(numberOf(values, name)) - shift, ''))
    const cases = this.#cases(count, /=\d+|zero|one|two|few|many|other/y)
    const type = kind === 'plural' ? 'cardinal' : 'ordinal'
    return (values, formats) => {
      const value = Number(numberOf(values, name))
      const exact = cases.get(`=${value}`)
      const parts = exact ?? cases.get(formats.plural(value - shift, type)) ?? cases.get('other')
      return join(parts ?? [], values, formats)
    }
  }

  #select(name: string): Part {
    this.#expect(',')
    const cases = this.#cases(null, /[^\s,{}]+/y)
    return (values, formats) =>
      join(cases.get(textOf(values, name)) ?? cases.get('other') ?? [], values, formats)
  }

  /** The texts for each case, up to the closing brace of the argument. */
  #cases(count: Part | null, word: RegExp): ReadonlyMap<string, readonly Part[]> {
    const cases = new Map<string, readonly Part[]>()
    while (!this.#closes()) {
      const name = this.#word(word, 'a case such as other')
      this.#take(spaces)
      if (this.#text.charAt(this.#at) !== '{') throw this.#wrong(`no { after the case "${name}"`)
      this.#at += 1
      cases.set(name, this.#parts(count))
      if (this.#text.charAt(this.#at) !== '}') throw this.#wrong('a case that is not closed')
      this.#at += 1
    }
    if (!cases.has('other')) throw this.#wrong('a choice without the case "other"')
    return cases
  }

  /** Whether the argument ends here. */
  #closes(): boolean {
    this.#take(spaces)
    return this.#text.charAt(this.#at) === '}'
  }

  #expect(sign: string): void {
    this.#take(spaces)
    if (this.#text.charAt(this.#at) !== sign) throw this.#wrong(`no ${sign} where one is needed`)
    this.#at += 1
  }

  #word(pattern: RegExp, expected: string): string {
    this.#take(spaces)
    const found = this.#take(pattern)
    if (found === null) throw this.#wrong(`not ${expected}`)
    return found[0]
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    this.#at += found?.[0].length ?? 0
    return found
  }

  #wrong(what: string): InvalidArgumentException {
    const before = this.#text.slice(Math.max(0, this.#at - 30), this.#at)
    return new InvalidArgumentException('E_MESSAGE', `${what}, after "${before}"`)
  }
}

function join(parts: readonly Part[], values: MessageValues, formats: LanguageFormats): string {
  let text = ''
  for (const part of parts) text += typeof part === 'string' ? part : part(values, formats)
  return text
}

function textOf(values: MessageValues, name: string): string {
  const value = valueOf(values, name)
  return typeof value === 'string' ? value : String(value)
}

function numberOf(values: MessageValues, name: string): number | bigint {
  const value = valueOf(values, name)
  if (typeof value === 'number' || typeof value === 'bigint') return value
  throw invalidValue(name, 'a number', value)
}

function momentOf(values: MessageValues, name: string): Date | number {
  const value = valueOf(values, name)
  if (value instanceof Date || typeof value === 'number') return value
  throw invalidValue(name, 'a Date or epoch seconds', value)
}

function valueOf(values: MessageValues, name: string): unknown {
  const value = values[name]
  if (value !== undefined && value !== null) return value
  throw invalidValue(name, 'a value', value)
}

// The value itself may be a secret.
function invalidValue(name: string, expected: string, value: unknown): InvalidArgumentException {
  const got = value === null ? 'null' : typeof value
  return new InvalidArgumentException(
    'E_MESSAGE',
    `the message needs ${expected} for {${name}}, got ${got}`,
  )
}
