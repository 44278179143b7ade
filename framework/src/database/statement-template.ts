import { InvalidArgumentException } from '../base/errors.ts'
import type { Dialect } from './sql/dialects/dialect.ts'
import type { Query } from './sql/plan/query.ts'
import type { Statement } from './sql/plan/statement.ts'

/** A placeholder for a value in a `StatementTemplate`. */
export class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A statement that is compiled once and used often. */
export class StatementTemplate {
  readonly #sql: string
  readonly #slots: readonly string[]
  readonly #raw: boolean

  /** @throws InvalidArgumentException for a value that is not a slot. */
  constructor(statement: Statement, dialect: Dialect, { raw = false }: Pick<Query, 'raw'> = {}) {
    const { sql, parameters } = statement.compile(dialect)
    this.#sql = sql
    this.#slots = parameters.map(nameOf)
    this.#raw = raw
  }

  /** The statement with these values in its slots. */
  query(values: Readonly<Record<string, unknown>>): Query {
    const parameters = this.#slots.map((slot) => values[slot])
    return { sql: this.#sql, parameters, raw: this.#raw }
  }
}

function nameOf(parameter: unknown): string {
  if (parameter instanceof Slot) return parameter.name
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'every value of a template is a slot; a value that never changes is written into its text',
  )
}
