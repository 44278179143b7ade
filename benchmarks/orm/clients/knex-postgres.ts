import knex from 'knex'
import { types } from 'pg'
import type { Library } from '../library.ts'
import { knexPages } from './knex-pages.ts'
import { zonedTimes } from './row.ts'

/** Knex on `pg`; 64-bit integers are bigint and times keep their microseconds, as text. */
export async function open(url: string): Promise<Library> {
  types.setTypeParser(types.builtins.INT8, BigInt)
  types.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => text)
  const db = knex({ client: 'pg', connection: url })
  return knexPages(db, zonedTimes, (query, createdAt, id) => {
    query.whereRaw('(created_at, id) > (?, ?)', [createdAt, id])
  })
}
