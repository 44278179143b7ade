import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Notation } from '../dialects/notation.ts'
import type { Query } from './query.ts'

/** SQL written by hand for any database; its values stay separate until the dialect is known. */
export class Statement {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }

  /** Compiles the statement for one database: values become parameters, identifiers are quoted. */
  compile(notation: Notation): Query {
    const parameters: unknown[] = []
    return { sql: this.#write(notation, parameters), parameters }
  }

  #write(notation: Notation, parameters: unknown[]): string {
    let sql = this.strings[0] ?? ''
    for (const [index, value] of this.values.entries()) {
      if (value instanceof Statement) sql += value.#write(notation, parameters)
      else if (value instanceof Name) sql += value.parts.map(notation.quote).join('.')
      else sql += notation.placeholder(parameters.push(value))
      sql += this.strings[index + 1] ?? ''
    }
    return sql
  }
}

class Name {
  readonly parts: readonly string[]

  constructor(parts: readonly string[]) {
    this.parts = parts
  }
}

/**
 * SQL with bound values: `` sql`select * from posts where id = ${id}` ``. A value never becomes
 * part of the text; another `` sql`…` `` can be nested, and `sql.name('posts', 'id')` is a quoted
 * name.
 */
export const sql: Sql = Object.assign(
  // The name of a function is read-only otherwise.
  Object.defineProperty(tagged, 'name', { writable: true }),
  {
    name: (...parts: readonly string[]): unknown => new Name(parts),
    list: (values: readonly unknown[]): Statement => {
      if (values.length > 0)
        return new Statement(['', ...values.slice(1).map(() => ', '), ''], values)
      throw new InvalidArgumentException('E_INVALID_ARGUMENT', 'sql.list needs at least one value')
    },
  },
)

/** The tag and its helpers. */
export interface Sql {
  (strings: TemplateStringsArray, ...values: readonly unknown[]): Statement
  /** A quoted identifier; several parts are joined by dots. */
  name(...parts: readonly string[]): unknown
  /** Bound values, comma-separated. */
  list(values: readonly unknown[]): Statement
}

function tagged(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  for (const value of values) refuseUndefined(value)
  return new Statement(strings, values)
}

function refuseUndefined(value: unknown): void {
  if (value !== undefined) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'a value of an sql`…` statement is undefined; use null for NULL',
  )
}
