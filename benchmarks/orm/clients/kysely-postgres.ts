import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { Library } from '../library.ts'
import { kyselyPages, type Tables } from './kysely-pages.ts'
import { zonedTimes } from './row.ts'

/** kysely on `pg`; 64-bit integers are bigint and times keep their microseconds, as text. */
export async function open(url: string): Promise<Library> {
  types.setTypeParser(types.builtins.INT8, BigInt)
  types.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => text)
  const dialect = new PostgresDialect({ pool: new Pool({ connectionString: url }) })
  return kyselyPages(new Kysely<Tables>({ dialect }), zonedTimes, 'row values')
}
