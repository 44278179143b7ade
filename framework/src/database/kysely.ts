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
import type { Dialect, Driver, QueryExecutorProvider } from 'kysely'
import { invalidArgument } from '../base/errors.ts'
import type { Surface } from './surface.ts'
import { SurfaceConnection, SurfaceDriver } from './kysely-driver.ts'
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
