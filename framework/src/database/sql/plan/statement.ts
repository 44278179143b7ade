import { invalidArgument } from '../../../base/errors.ts'
import { isStandardSchema } from '../../../base/schema/standard-schema.ts'
import type { StandardSchema } from '../../../base/schema/standard-schema.ts'
import { isPlainRecord, isRecord } from '../../../base/is-record.ts'
import type { Notation, Texts } from '../dialects/notation.ts'
import type { DeclaredColumns, DeclaredRow, ObjectRow, RowDeclaration } from './declared-rows.ts'

/**
 * A compiled statement and its bound values. The output of other builders, such as kysely's
 * `CompiledQuery`, has the same two fields and is accepted wherever this is.
 */
export interface Query {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /**
   * With `raw`, rows are lists in the order of the selected columns and contain the values exactly
   * as the database returns them, unconverted. Without it, rows are objects by column name.
   */
  readonly raw?: boolean
  /** Whether the result has `details`. */
  readonly details?: boolean
}

/**
 * SQL written by hand for any database; its values stay separate until the dialect is known. `Row`
 * is the type of its rows.
 */
export class Statement<out Row = ObjectRow> {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  /** How its rows are read; null as the driver returns them. */
  readonly declaration: RowDeclaration | null
  // Types only; this property never exists at run time.
  declare readonly row: Row

  constructor(
    strings: readonly string[],
    values: readonly unknown[],
    declaration: RowDeclaration | null = null,
  ) {
    this.strings = strings
    this.values = values
    this.declaration = declaration
  }

  /**
   * The same statement, whose columns are read by their kinds, alike on every database:
   * `` sql`select count(*) as total from posts`.as({ total: integer() }) ``. A property is the column of
   * the same name, also in snake case.
   * @throws InvalidArgumentException for something that is not a column, or after `check`.
   */
  as<const Columns extends DeclaredColumns>(columns: Columns): Statement<DeclaredRow<Columns>> {
    if (this.declaration !== null) {
      throw invalidArgument(
        'as() is called once, and before check(), which gets the rows that it reads',
      )
    }
    if (!isPlainRecord(columns))
      throw invalidArgument('as() takes columns by name: as({ total: integer() })')
    for (const [property, column] of Object.entries(columns)) {
      if (isRecord(column) && 'kind' in column && isPlainRecord(column['options'])) continue
      throw invalidArgument(
        `as({ ${property} }) is not a column; use integer(), text() and the like`,
      )
    }
    return new Statement(this.strings, this.values, { columns, schema: null })
  }

  /**
   * The same statement, each row of which is checked by a schema (Standard Schema, such as those of
   * valibot, zod and arktype); the row is what the schema makes of it.
   * @throws InvalidArgumentException for something that is not a schema, or the second time.
   */
  check<Output>(schema: StandardSchema<unknown, Output>): Statement<Output> {
    if (!isStandardSchema(schema))
      throw invalidArgument('check() takes a schema of Standard Schema')
    if (this.declaration !== null && this.declaration.schema !== null) {
      throw invalidArgument('check() is called once; combine the schemas')
    }
    const columns = this.declaration === null ? null : this.declaration.columns
    return new Statement(this.strings, this.values, { columns, schema })
  }

  /** Compiles the statement for one database: values become parameters, identifiers are quoted. */
  compile(notation: Notation): Query {
    const parameters: unknown[] = []
    const texts = this.#bind(parameters, notation.texts)
    const sql = texts?.text ?? this.#write(notation, [])
    if (texts !== undefined) texts.text = sql
    const query = { sql, parameters }
    const isRaw = this.declaration !== null && this.declaration.columns !== null
    return isRaw ? { ...query, raw: true, details: true } : query
  }

  // The text follows from the strings, and from what each value is. A template literal has the same list
  // of strings each time; any other list of several may be new.
  #bind(parameters: unknown[], known: Texts | undefined): Texts | undefined {
    const { strings, values } = this
    const key = 'raw' in strings ? strings : strings.length === 1 ? strings[0] : undefined
    let texts = key === undefined ? undefined : known?.with(key)
    for (const value of values) {
      if (value instanceof Statement) texts = value.#bind(parameters, texts)
      else if (value instanceof Name) texts = texts?.with(value.key)
      else {
        parameters.push(value)
        texts = texts?.with(null)
      }
    }
    return texts
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
  /** It in one text, which begins as no SQL does. */
  readonly key: string

  constructor(parts: readonly string[]) {
    this.parts = parts
    this.key = `\0${JSON.stringify(parts)}`
  }
}

/**
 * SQL with bound values: `` sql`select * from posts where id = ${id}` ``. `` sql<Row>`…` `` types its
 * rows without checking them; see `as` and `check` for that. A value never becomes part of the text; another `` sql`…` `` can be nested, and `sql.name('posts', 'id')` is a quoted
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
      throw invalidArgument('sql.list needs at least one value')
    },
  },
)

/** The tag and its helpers. */
export interface Sql {
  <Row = ObjectRow>(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement<Row>
  /** A quoted identifier; several parts are joined by dots. */
  name(...parts: readonly string[]): unknown
  /** Bound values, comma-separated. */
  list(values: readonly unknown[]): Statement
}

function tagged<Row>(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement<Row> {
  if (!values.includes(undefined)) return new Statement(strings, values)
  throw invalidArgument('a value of an sql`…` statement is undefined; use null for NULL')
}

/** A constant piece of SQL as a statement. It must never contain user input. */
export function fixedSql(words: string): Statement {
  return new Statement([words], [])
}

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
  constructor(statement: Statement, notation: Notation, { raw = false }: Pick<Query, 'raw'> = {}) {
    const query = statement.compile(notation)
    this.#sql = query.sql
    this.#slots = query.parameters.map(slotName)
    this.#raw = raw
  }

  /** The statement with these values in its slots. */
  query(values: Readonly<Record<string, unknown>>): Query {
    const parameters = this.#slots.map((slot) => values[slot])
    return { sql: this.#sql, parameters, raw: this.#raw }
  }
}

function slotName(parameter: unknown): string {
  if (parameter instanceof Slot) return parameter.name
  throw invalidArgument(
    'every value of a template is a slot; a value that never changes is written into its text',
  )
}
