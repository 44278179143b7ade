import type { SchemaIssue } from '../../base/schema/standard-schema.ts'

/** A value that was read, or what is wrong with it. */
export type ParsedValue = { readonly value: unknown } | string

/** Reads the parameters of a query, and notes everything that is wrong with them. */
export class QueryReader {
  /** As they were sent. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly #issues: SchemaIssue[] = []

  /** Parameters that are not in `allowed` are wrong; those of the list are `known`. */
  constructor(fields: unknown, known: ReadonlySet<string>, allowed: ReadonlySet<string>) {
    this.fields = typeof fields === 'object' && fields !== null ? { ...fields } : {}
    for (const name of Object.keys(this.fields)) {
      if (allowed.has(name)) continue
      this.note(name, `is not a parameter of this list; it takes ${[...known].join(', ')}`)
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
    this.note(name, `is sent once, as ${name}=…`)
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
      this.note(name, `is a list: send each value as ${name}[]=…`)
      return []
    }
    const given = [...new Set(texts)].filter((text) => text !== '')
    if (given.length > max) {
      this.note(name, `has more than ${max} values`)
      return []
    }
    return given.flatMap((text) => {
      const value = this.#parsed(name, String(text), parse)
      return value === undefined ? [] : [value]
    })
  }

  /** Notes what is wrong with a parameter; the message is a sentence without its full stop. */
  note(name: string, message: string): void {
    this.#issues.push({ path: [name], message: `${message}.` })
  }

  #parsed(name: string, text: string, parse: (text: string) => ParsedValue): unknown {
    const parsed = parse(text)
    if (typeof parsed !== 'string') return parsed.value
    this.note(name, parsed)
    return undefined
  }
}
