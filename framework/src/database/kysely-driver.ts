import type {
  CompiledQuery,
  DatabaseConnection,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely'
import { invalidArgument } from '../base/errors.ts'
import type { Surface, Transaction, TransactionOptions } from './surface.ts'

/** The driver of a Kysely whose queries go through a surface. */
export class SurfaceDriver implements Driver {
  readonly #surface: Surface

  constructor(surface: Surface) {
    this.#surface = surface
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(new SurfaceConnection(this.#surface))
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return ours(connection).begin(settings)
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return ours(connection).commit()
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return ours(connection).rollBack()
  }

  savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    return this.#command(connection, 'SAVEPOINT', name)
  }

  rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    return this.#command(connection, 'ROLLBACK TO SAVEPOINT', name)
  }

  releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    return this.#command(connection, 'RELEASE SAVEPOINT', name)
  }

  // A transaction that nobody has ended must not stay open.
  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return ours(connection).rollBack()
  }

  /** Leaves the database open: it belongs to the project. */
  destroy(): Promise<void> {
    return Promise.resolve()
  }

  async #command(connection: DatabaseConnection, words: string, name: string): Promise<void> {
    const sql = `${words} ${this.#surface.dialect.quote(name)}`
    await ours(connection).surface.run({ sql, parameters: [] })
  }
}

function ours(connection: DatabaseConnection): SurfaceConnection {
  if (connection instanceof SurfaceConnection) return connection
  throw new TypeError('unreachable: this driver makes the connections')
}

/** A transaction that is open until it is committed or rolled back. */
interface HeldTransaction {
  readonly transaction: Transaction
  readonly commit: () => Promise<void>
  readonly rollBack: () => Promise<void>
}

/** What Kysely takes for a connection. Only a transaction reserves one of the pool. */
export class SurfaceConnection implements DatabaseConnection {
  readonly #outside: Surface
  #held: HeldTransaction | null = null

  constructor(surface: Surface) {
    this.#outside = surface
  }

  /** Where its queries are sent now: the transaction, while one is open. */
  get surface(): Surface {
    return this.#held === null ? this.#outside : this.#held.transaction
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    const isInsert = query.kind === 'InsertQueryNode'
    const sent = isInsert ? { sql, parameters, details: true } : { sql, parameters }
    const { rows, affected, details } = await this.surface.run(sent)
    const insertId = details?.insertId ?? null
    const numAffectedRows = BigInt(affected)
    // Of which type the rows are, the query of Kysely says.
    const typed = rows.filter((row): row is Row => typeof row === 'object' && row !== null)
    const result = { rows: typed, numAffectedRows }
    return insertId === null ? result : { ...result, insertId }
  }

  /** @throws InvalidArgumentException always: no driver of ours reads a result in parts. */
  streamQuery(): never {
    throw invalidArgument(
      'kysely() does not stream a result; read it in pages, or rows of an entity with walk() of a Repository',
    )
  }

  /** Opens a transaction; inside one, a nested one. */
  async begin(settings: TransactionSettings): Promise<void> {
    this.#held = await hold(this.#outside, optionsOf(settings))
  }

  async commit(): Promise<void> {
    const held = this.#held
    this.#held = null
    await held?.commit()
  }

  /** Does nothing if the transaction has ended already. */
  async rollBack(): Promise<void> {
    const held = this.#held
    this.#held = null
    await held?.rollBack()
  }
}

async function hold(surface: Surface, options: TransactionOptions): Promise<HeldTransaction> {
  const begun = Promise.withResolvers<Transaction>()
  const end = Promise.withResolvers<void>()
  const undone = new Error('rolled back')
  const whole = surface.transaction((transaction) => {
    begun.resolve(transaction)
    return end.promise
  }, options)
  whole.catch(begun.reject)
  return {
    transaction: await begun.promise,
    commit: () => {
      end.resolve()
      return whole
    },
    rollBack: () => {
      end.reject(undone)
      return whole.catch((error: unknown) => {
        if (error !== undone) throw error
      })
    },
  }
}

const isolations = {
  'read committed': 'read-committed',
  'repeatable read': 'repeatable-read',
  serializable: 'serializable',
} as const

/** @throws InvalidArgumentException for an isolation level that not all databases have. */
function optionsOf({ isolationLevel, accessMode }: TransactionSettings): TransactionOptions {
  const readOnly = accessMode === 'read only'
  if (isolationLevel === undefined) return { readOnly }
  if (isolationLevel !== 'read uncommitted' && isolationLevel !== 'snapshot') {
    return { readOnly, isolation: isolations[isolationLevel] }
  }
  throw invalidArgument(
    `the isolation level of a transaction is read committed, repeatable read or serializable, got ${isolationLevel}`,
  )
}
