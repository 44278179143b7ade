import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import type { Library } from '../library.ts'
import { addressOf, exactTexts } from './address.ts'
import { kyselyPages, type Tables } from './kysely-pages.ts'
import { plainTimes } from './row.ts'

/** kysely on `mysql2`. */
export async function open(url: string): Promise<Library> {
  const pool = createPool({ ...addressOf(url), ...exactTexts })
  const db = new Kysely<Tables>({ dialect: new MysqlDialect({ pool }) })
  return kyselyPages(db, plainTimes, 'a bound and a chain')
}
