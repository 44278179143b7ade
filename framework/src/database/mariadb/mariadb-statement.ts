import { invalidArgument } from '../../base/errors.ts'
import type { Query } from '../sql/plan/statement.ts'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'
import { scanStatement } from './scan-statement.ts'
import type { StatementTraits } from './scan-statement.ts'
import {
  dateParameter,
  invalidParameter,
  textParameter,
  unknownParameter,
} from '../sql/values/bindable.ts'

const maxValues = 65_535
const maxCached = 500

/** A value that the driver can bind. */
type MariadbValue = string | number | bigint | boolean | Buffer | null

/** A statement ready to be sent: its values are checked and match its placeholders. */
export interface BoundStatement {
  readonly sql: string
  readonly values: readonly MariadbValue[]
  readonly raw: boolean
  /** Whether the names of the columns and the generated key are needed. */
  readonly details: boolean
  /** Whether it is sent as a prepared statement, with the values apart from the text. */
  readonly isPrepared: boolean
}

/** Turns queries into bound statements. */
export class StatementBinder {
  readonly #prepare: boolean
  // A project has few texts and runs them often.
  readonly #known = new RecentTexts<StatementTraits>(maxCached)

  /** Without `prepare` every statement is sent as one text with its values escaped. */
  constructor(prepare: boolean) {
    this.#prepare = prepare
  }

  /**
   * @throws InvalidArgumentException for a value that cannot be bound, or when the numbers of
   * values and placeholders differ: the driver would silently bind other values.
   */
  bind({ sql, parameters, raw = false, details = false }: Query): BoundStatement {
    const { placeholders, isAboutRows } = this.#known.getOr(sql, scanStatement)
    if (placeholders !== parameters.length) {
      throw invalidArgument(
        `the statement has ${placeholders} placeholders, got ${parameters.length} parameters`,
      )
    }
    if (placeholders > maxValues) {
      throw invalidArgument(
        `a statement has ${placeholders} values, MariaDB allows ${maxValues}; split it`,
      )
    }
    // Statements about tables, sessions and transactions are rarely repeated, and not every server
    // can prepare all of them.
    const isPrepared = this.#prepare && (isAboutRows || placeholders > 0)
    return { sql, values: mariadbBindings(parameters), raw, details, isPrepared }
  }
}

const minBigint = -(2n ** 63n)
const maxBigint = 2n ** 64n - 1n
const minInt = -(2 ** 31)
const maxInt = 2 ** 31 - 2

/**
 * Converts the parameters of a query for the driver: whole numbers to integers, dates to UTC text,
 * bytes to buffers.
 * @throws InvalidArgumentException for a value that MariaDB cannot store exactly; the message does
 * not show the value.
 */
export function mariadbBindings(parameters: readonly unknown[]): MariadbValue[] {
  return parameters.map(binding)
}

function binding(value: unknown, index: number): MariadbValue {
  if (typeof value === 'string') return textParameter(value, index)
  if (typeof value === 'number') return boundNumber(value, index)
  if (value === null || typeof value === 'boolean') return value
  if (value instanceof Uint8Array) return bytes(value)
  if (value instanceof Date) return dateParameter(value, index)
  if (typeof value !== 'bigint') throw unknownParameter(value, index)
  if (value >= minBigint && value <= maxBigint) return value
  throw invalidParameter(index, 'a bigint of more than 64 bits')
}

// The driver binds every number beyond 32 bits as a double, which is no longer an exact integer.
function boundNumber(value: number, index: number): MariadbValue {
  if (!Number.isFinite(value)) throw invalidParameter(index, `${value}, which MariaDB cannot store`)
  if (!Number.isSafeInteger(value)) return value
  return value < minInt || value > maxInt ? BigInt(value) : value
}

// The driver would bind any other Uint8Array as JSON.
function bytes(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}
