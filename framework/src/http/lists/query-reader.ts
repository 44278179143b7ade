import type { SchemaIssue } from '../../base/schema/standard-schema.ts'
import type { MessageValues } from '../../i18n/message.ts'
import { TranslatedIssue } from '../errors/invalid-input.ts'

/** What is wrong with a value: a sentence without its subject, and the values in its braces. */
export interface ValueRefusal {
  readonly text: string
  readonly values?: MessageValues
}

/** A value that was read, or what is wrong with it. */
export type ParsedValue = { readonly value: unknown } | ValueRefusal

/** Reads the parameters of a query, and notes everything that is wrong with them. */
export class QueryReader {
  /** As they were sent. */
  readonly fields: Readonly<Record<string, unknown>>
  /** That of days, and of times without an offset. */
  readonly timeZone: string
  readonly #issues: SchemaIssue[] = []

  /** Parameters that are not in `allowed` are wrong; those of the list are `known`. */
  constructor(
    fields: unknown,
    timeZone: string,
    { known, allowed }: Readonly<Record<'known' | 'allowed', ReadonlySet<string>>>,
  ) {
    this.timeZone = timeZone
    this.fields = typeof fields === 'object' && fields !== null ? { ...fields } : {}
    for (const name of Object.keys(this.fields)) {
      if (allowed.has(name)) continue
      const text = 'is not a parameter of this list; it takes {names}.'
      this.note(name, { text, values: { names: [...known].join(', ') } })
    }
  }

  get issues(): readonly SchemaIssue[] {
    return this.#issues
  }

  /** Whether the query has a parameter, even an empty one. */
  has(name: string): boolean {
    return this.fields[name] !== undefined
  }

  /** The text of a parameter; undefined if it is missing or empty, as an empty field of a form. */
  text(name: string): string | undefined {
    const text = this.fields[name]
    if (text === undefined || text === '') return undefined
    if (typeof text === 'string') return text
    this.note(name, { text: 'is sent once, as {name}=….', values: { name } })
    return undefined
  }

  /** The value of a parameter; undefined if it is missing, empty or invalid. */
  value(name: string, parse: (text: string) => ParsedValue): unknown {
    const text = this.text(name)
    return text === undefined ? undefined : this.#parsed(name, text, parse)
  }

  /** The values of a list, `name[]=…` each; empty if it is missing or invalid. */
  values(name: string, parse: (text: string) => ParsedValue, max: number): readonly unknown[] {
    const texts = this.fields[name]
    if (texts === undefined || texts === '') return []
    if (!Array.isArray(texts)) {
      const text = 'is a list: send each value as {name}[]=….'
      this.note(name, { text, values: { name } })
      return []
    }
    const given = [...new Set(texts)].filter((text) => text !== '')
    if (given.length > max) {
      this.note(name, { text: 'has more than {max} values.', values: { max } })
      return []
    }
    return given.flatMap((text) => {
      const value = this.#parsed(name, String(text), parse)
      return value === undefined ? [] : [value]
    })
  }

  /** Notes what is wrong with a parameter. */
  note(name: string, { text, values = {} }: ValueRefusal): void {
    this.#issues.push(new TranslatedIssue([name], text, values))
  }

  #parsed(name: string, text: string, parse: (text: string) => ParsedValue): unknown {
    const parsed = parse(text)
    if ('value' in parsed) return parsed.value
    this.note(name, parsed)
    return undefined
  }
}
