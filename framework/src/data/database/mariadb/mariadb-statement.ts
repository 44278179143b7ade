import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Query } from '../../sql/plan/query.ts'
import { mariadbBindings } from './mariadb-bindings.ts'
import type { MariadbValue } from './mariadb-bindings.ts'
import { scanStatement } from './scan-statement.ts'
import type { StatementTraits } from './scan-statement.ts'

const maxValues = 65_535
const maxKnown = 1_000

/** A statement the driver can send: its values are checked and fit its places. */
export interface BoundStatement {
  readonly sql: string
  readonly values: readonly MariadbValue[]
  readonly raw: boolean
  /** Whether the server prepares it and gets the values apart from the text. */
  readonly isPrepared: boolean
}

/** Makes statements of queries. */
export class StatementBinder {
  readonly #prepare: boolean
  readonly #known = new Map<string, StatementTraits>()

  /** Without `prepare` every statement is sent as one text, with its values escaped into it. */
  constructor(prepare: boolean) {
    this.#prepare = prepare
  }

  /**
   * @throws InvalidArgumentException for a value that cannot be bound, and for more or fewer values
   *   than places: the driver would bind other values without a word.
   */
  bind({ sql, parameters, raw = false }: Query): BoundStatement {
    const { placeholders, isAboutRows } = this.#traits(sql)
    if (placeholders !== parameters.length) {
      throw refused(
        `the statement has ${placeholders} places for values, got ${parameters.length} parameters`,
      )
    }
    if (placeholders > maxValues) {
      throw refused(
        `a statement has ${placeholders} values, MariaDB takes ${maxValues}; send several`,
      )
    }
    // Statements about tables, sessions and transactions are rarely run twice, and not every server
    // can prepare all of them.
    const isPrepared = this.#prepare && (isAboutRows || placeholders > 0)
    return { sql, values: mariadbBindings(parameters), raw, isPrepared }
  }

  // A project has few texts and runs them often.
  #traits(sql: string): StatementTraits {
    const known = this.#known.get(sql)
    if (known !== undefined) return known
    const traits = scanStatement(sql)
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(sql, traits)
    return traits
  }
}

function refused(text: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', text)
}
