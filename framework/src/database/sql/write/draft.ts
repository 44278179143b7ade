import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Query } from '../plan/statement.ts'

/** A statement under construction: its dialect, and the values bound so far. */
export class Draft {
  readonly dialect: Dialect
  readonly parameters: unknown[] = []
  /** The tables that conditions are about, the innermost last. */
  readonly #scopes: Scope[] = []
  #expressions: Map<ColumnReference, string> | null = null

  constructor(dialect: Dialect, table: string | null = null) {
    this.dialect = dialect
    if (table !== null) this.#scopes.push({ table, alias: null })
  }

  /** The quoted name of the table that the conditions are about. */
  get scope(): string {
    const scope = this.#scopes.at(-1)
    if (scope === undefined) throw new TypeError('unreachable: the statement has no table')
    return scope.alias ?? this.dialect.quote(scope.table)
  }

  /**
   * Writes a subquery about another table. A table that the statement already has gets another
   * name, so that both can be referred to.
   */
  within(table: string, write: (source: string) => string): string {
    const quoted = this.dialect.quote(table)
    const isTaken = this.#scopes.some((scope) => scope.table === table)
    const alias = isTaken ? `framework_${this.#scopes.length}` : null
    this.#scopes.push({ table, alias })
    const written = write(alias === null ? quoted : `${quoted} AS ${alias}`)
    this.#scopes.pop()
    return written
  }

  /** The quoted name of a column, or the expression that computes it. */
  name(column: ColumnReference): string {
    return this.#expressions?.get(column) ?? this.dialect.columns.name(column)
  }

  /** Makes a column that an expression computes. */
  computed(column: ColumnReference, expression: string): ColumnReference {
    this.#expressions ??= new Map()
    this.#expressions.set(column, expression)
    return column
  }

  /** What `<` and `>` compare for a column. */
  ranked(column: ColumnReference): string {
    return this.dialect.rankedBy(this.name(column), column)
  }

  /** The quoted names of columns, comma-separated; for lists made for a single statement. */
  names(columns: readonly ColumnReference[]): string {
    return columns.map((column) => this.dialect.columns.name(column)).join(', ')
  }

  /** ` RETURNING …`, or '' if nothing is returned. The list must not change afterwards. */
  returning(columns: readonly ColumnReference[]): string {
    return columns.length === 0 ? '' : ` RETURNING ${this.dialect.columns.list(columns)}`
  }

  /** The statement with the values bound so far, whose rows are raw. */
  rawQuery(sql: string): Query {
    return { sql, parameters: this.parameters, raw: true }
  }

  /** Binds a value and returns its placeholder. */
  bind(bound: unknown): string {
    return this.dialect.placeholder(this.parameters.push(bound))
  }

  /**
   * Binds a value (see `bindable`) that is compared with a column, and returns its placeholder with
   * the cast that keeps the comparison exact.
   */
  comparand(column: ColumnReference, bound: unknown): string {
    return this.dialect.comparand(this.bind(bound), column)
  }
}

interface Scope {
  readonly table: string
  /** Its name in the statement, if it has another one there. */
  readonly alias: string | null
}
