import {
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type {
  Dialect,
  Driver,
  QueryExecutorProvider,
  CompiledQuery,
  DatabaseConnection,
  QueryResult,
  TransactionSettings,
} from 'kysely'
import { invalidArgument } from '../base/errors.ts'
import type { Surface, Transaction, TransactionOptions } from './surface.ts'
import type { Dialects } from './sql/dialects/dialect.ts'

/**
 * A Kysely that sends its queries through a database or a transaction of ours: on its pool, with its
 * transactions, query log and spans. Nothing has to be closed: `destroy()` leaves the database open.
 */
export function kysely<Tables>(surface: Surface): Kysely<Tables> {
  const createDriver = (): Driver => new SurfaceDriver(surface)
  return new Kysely<Tables>({ dialect: { ...dialects[surface.dialect.name], createDriver } })
}

/**
 * Where a Kysely sends its queries: for a transaction of Kysely the transaction, so that a `Repository`
 * can be part of it.
 * @throws InvalidArgumentException for one that `kysely()` has not made.
 */
export async function surfaceOf(queries: QueryExecutorProvider): Promise<Surface> {
  const surface = await queries
    .getExecutor()
    .provideConnection((connection) =>
      Promise.resolve(connection instanceof SurfaceConnection ? connection.surface : null),
    )
  if (surface !== null) return surface
  throw invalidArgument(
    'surfaceOf() takes what kysely() of framework/kysely made, or a transaction of it',
  )
}

/** Unlike MySQL it has RETURNING, after INSERT and DELETE. */
class MariadbAdapter extends MysqlAdapter {
  override get supportsReturning(): boolean {
    return true
  }
}

/** How Kysely writes SQL for each database. */
const dialects: Readonly<Record<Dialects, Omit<Dialect, 'createDriver'>>> = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (queries) => new SqliteIntrospector(queries),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (queries) => new PostgresIntrospector(queries),
  },
  mariadb: {
    createAdapter: () => new MariadbAdapter(),
    createQueryCompiler: () => new MysqlQueryCompiler(),
    createIntrospector: (queries) => new MysqlIntrospector(queries),
  },
}

/** The driver of a Kysely whose queries go through a surface. */
class SurfaceDriver implements Driver {
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

/** What Kysely takes for a connection. Only a transaction reserves one of the pool. */
class SurfaceConnection implements DatabaseConnection {
  /** Where its queries are sent now: the transaction, while one is open. */
  surface: Surface
  /** Ends the open transaction: rolls it back if there is an error, which is not thrown. */
  #end: ((undone: Error | null) => Promise<void>) | null = null

  constructor(surface: Surface) {
    this.surface = surface
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
    const outside = this.surface
    const begun = Promise.withResolvers<Transaction>()
    const end = Promise.withResolvers<void>()
    const whole = outside.transaction((transaction) => {
      begun.resolve(transaction)
      return end.promise
    }, optionsOf(settings))
    whole.catch(begun.reject)
    this.surface = await begun.promise
    this.#end = (undone) => {
      this.surface = outside
      this.#end = null
      if (undone === null) end.resolve()
      else end.reject(undone)
      return whole.catch((error: unknown) => {
        if (error !== undone) throw error
      })
    }
  }

  async commit(): Promise<void> {
    await this.#end?.(null)
  }

  /** Does nothing if the transaction has ended already. */
  async rollBack(): Promise<void> {
    await this.#end?.(new Error('rolled back'))
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
