import { InvalidArgumentException } from '../../base/errors.ts'
import type { Query } from '../sql/plan/query.ts'
import { mariadbBindings } from './mariadb-bindings.ts'
import type { MariadbValue } from './mariadb-bindings.ts'
import { scanStatement } from './scan-statement.ts'
import type { StatementTraits } from './scan-statement.ts'

const maxValues = 65_535
const maxCached = 1_000

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
  readonly #known = new Map<string, StatementTraits>()

  /** Without `prepare` every statement is sent as one text with its values escaped. */
  constructor(prepare: boolean) {
    this.#prepare = prepare
  }

  /**
   * @throws InvalidArgumentException for a value that cannot be bound, or when the numbers of
   * values and placeholders differ: the driver would silently bind other values.
   */
  bind({ sql, parameters, raw = false, details = false }: Query): BoundStatement {
    const { placeholders, isAboutRows } = this.#traits(sql)
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

  // A project has few texts and runs them often.
  #traits(sql: string): StatementTraits {
    const known = this.#known.get(sql)
    if (known !== undefined) return known
    const traits = scanStatement(sql)
    if (this.#known.size >= maxCached) this.#known.clear()
    this.#known.set(sql, traits)
    return traits
  }
}

function invalidArgument(text: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', text)
}
