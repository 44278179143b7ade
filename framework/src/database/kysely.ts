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
  DatabaseIntrospector,
  Dialect,
  DialectAdapter,
  Driver,
  QueryCompiler,
  QueryExecutorProvider,
} from 'kysely'
import { invalidArgument } from '../base/errors.ts'
import type { Surface } from './surface.ts'
import { SurfaceConnection, SurfaceDriver } from './kysely-driver.ts'
import type { Dialects } from './sql/dialects/dialect.ts'

/**
 * A Kysely that sends its queries through a database or a transaction of ours: on its pool, with its
 * transactions, query log and spans. Nothing has to be closed: `destroy()` leaves the database open.
 */
export function kysely<Tables>(surface: Surface): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SurfaceDialect(surface) })
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

/** How Kysely writes SQL for a database. */
interface Parts {
  readonly adapter: () => DialectAdapter
  readonly compiler: () => QueryCompiler
  readonly introspector: (queries: Kysely<unknown>) => DatabaseIntrospector
}

/** Unlike MySQL it has RETURNING, after INSERT and DELETE. */
class MariadbAdapter extends MysqlAdapter {
  override get supportsReturning(): boolean {
    return true
  }
}

const parts: Readonly<Record<Dialects, Parts>> = {
  sqlite: {
    adapter: () => new SqliteAdapter(),
    compiler: () => new SqliteQueryCompiler(),
    introspector: (queries) => new SqliteIntrospector(queries),
  },
  postgres: {
    adapter: () => new PostgresAdapter(),
    compiler: () => new PostgresQueryCompiler(),
    introspector: (queries) => new PostgresIntrospector(queries),
  },
  mariadb: {
    adapter: () => new MariadbAdapter(),
    compiler: () => new MysqlQueryCompiler(),
    introspector: (queries) => new MysqlIntrospector(queries),
  },
}

/** The dialect of Kysely for the database of a surface. */
class SurfaceDialect implements Dialect {
  readonly #surface: Surface
  readonly #parts: Parts

  constructor(surface: Surface) {
    this.#surface = surface
    this.#parts = parts[surface.dialect.name]
  }

  createDriver(): Driver {
    return new SurfaceDriver(this.#surface)
  }

  createQueryCompiler(): QueryCompiler {
    return this.#parts.compiler()
  }

  createAdapter(): DialectAdapter {
    return this.#parts.adapter()
  }

  createIntrospector(queries: Kysely<unknown>): DatabaseIntrospector {
    return this.#parts.introspector(queries)
  }
}
