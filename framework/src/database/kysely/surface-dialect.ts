import {
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
  Kysely,
  QueryCompiler,
} from 'kysely'
import type { Surface } from '../surface.ts'
import type { Dialects } from '../sql/dialects/dialect.ts'
import { SurfaceDriver } from './surface-driver.ts'

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
export class SurfaceDialect implements Dialect {
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
