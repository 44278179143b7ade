import type { ServerReport } from './postgres-errors.ts'
import { invalidArgument } from '../../base/errors.ts'
import type { Query } from '../sql/plan/statement.ts'
import { dateParameter, textParameter, unknownParameter } from '../sql/values/bindable.ts'

/** A statement with its values in wire format: text, bytes or NULL. */
export interface BoundStatement {
  readonly sql: string
  readonly values: readonly (string | Buffer | null)[]
  readonly raw: boolean
  /** Whether the names of the columns are needed. */
  readonly details: boolean
}

const maxValues = 65_535

/**
 * Binds the parameters of a query for PostgreSQL: bytes as bytes, everything else as text, whose
 * type the server infers from the context.
 * @throws InvalidArgumentException for a value that cannot be sent; the message does not show it.
 */
export function bindStatement({
  sql,
  parameters,
  raw = false,
  details = false,
}: Query): BoundStatement {
  // The protocol ends a text at a NUL and would misread the rest.
  if (sql.includes('\0')) {
    throw invalidArgument('a statement contains a NUL character')
  }
  if (parameters.length > maxValues) {
    throw invalidArgument(
      `a statement has ${parameters.length} values, PostgreSQL allows ${maxValues}; split it`,
    )
  }
  return { sql, values: parameters.map(binding), raw, details }
}

function binding(value: unknown, index: number): string | Buffer | null {
  if (value === null) return value
  if (typeof value === 'string') return textParameter(value, index)
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value)
  }
  if (value instanceof Date) return dateParameter(value, index)
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  throw unknownParameter(value, index)
}

const maxNames = 500
const maxTextLength = 10_000
const maxLongNames = 16
const maxLongTextLength = 100_000
const maxRenewals = 3
const star = /(?:\bselect|\bdistinct|\ball|\breturning|[,.])\s*\*/i
const repeated = /^\s*(select|insert|update|delete|with|values)\b/i

/**
 * The names of the prepared statements on the connections of a pool. A statement without a name is
 * parsed each time, which always works. To bound the memory of the server, only the first 500 texts
 * get one, of long ones 16 that came twice, as an insert of many rows does; none that change the schema.
 */
export class StatementNames {
  readonly #names = new Map<
    string,
    { name: string | null; renewals: number; readonly hasStar: boolean }
  >()
  /** Long texts that came once. */
  readonly #long = new Set<string>()
  #longNames = 0
  #count = 0

  /** The name of a statement, or null to send it without one. */
  nameOf(sql: string): string | null {
    const known = this.#names.get(sql)
    if (known !== undefined) return known.name
    if (this.#names.size >= maxNames || !repeated.test(sql)) return null
    if (sql.length > maxTextLength && !this.#takesLong(sql)) return null
    const name = this.#next()
    this.#names.set(sql, { name, renewals: 0, hasStar: star.test(sql) })
    return name
  }

  /** Whether a statement that has a name selects `*`, so that a new column changes its rows. */
  hasStar(sql: string): boolean {
    return this.#names.get(sql)?.hasStar ?? false
  }

  /**
   * Renames a statement because its tables have changed: the server no longer accepts the old
   * prepared form, on this connection and, sooner or later, on the others.
   */
  renew(sql: string, name: string): void {
    const known = this.#names.get(sql)
    if (known?.name === name) known.name = this.#next()
  }

  /**
   * Renames a statement that a session does not know. After repeated losses, as behind a pooler
   * that assigns each statement to another session, it stays unnamed for good.
   */
  renewForgotten(sql: string, name: string): void {
    const known = this.#names.get(sql)
    if (known?.name !== name) return
    known.renewals += 1
    known.name = known.renewals > maxRenewals ? null : this.#next()
  }

  #takesLong(sql: string): boolean {
    if (sql.length > maxLongTextLength || this.#longNames === maxLongNames) return false
    const isKnown = this.#long.delete(sql)
    if (isKnown) this.#longNames += 1
    else this.#long.add(sql)
    if (this.#long.size > maxLongNames) this.#long.clear()
    return isKnown
  }

  #next(): string {
    this.#count += 1
    return `f${this.#count}`
  }
}

/**
 * What an error reveals about its prepared statement. `forgotten`: the session does not have it.
 * `changed`: its columns have other types now. `possible`: its parameters still have the types from
 * when it was prepared, which may be why a value does not fit, unless the value is indeed wrong.
 */
type Staleness = 'none' | 'possible' | 'changed' | 'forgotten'

const typeErrors: ReadonlySet<string> = new Set([
  '22003', // out of range
  '22007', // not a date or time
  '22008', // date or time out of range
  '22P02', // not a text of the type
  '42725', // ambiguous function or operator
  '42804', // column and expression of different types
  '42846', // no cast between them
  '42883', // no function or operator for them
])

/** Classifies the error of a prepared statement. */
export function stalenessOf(report: ServerReport | null): Staleness {
  if (report === null) return 'none'
  if (report.code === '26000') return 'forgotten'
  if (report.code === '0A000' && report.routine === 'RevalidateCachedQuery') return 'changed'
  return typeErrors.has(report.code) ? 'possible' : 'none'
}
