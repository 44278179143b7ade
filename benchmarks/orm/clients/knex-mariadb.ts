import knex from 'knex'
import type { Library } from '../library.ts'
import { addressOf, exactTexts } from './address.ts'
import { knexPages } from './knex-pages.ts'
import { plainTimes } from './row.ts'

/** Knex on `mysql2`. */
export async function open(url: string): Promise<Library> {
  const db = knex({ client: 'mysql2', connection: { ...addressOf(url), ...exactTexts } })
  return knexPages(db, plainTimes, (query, createdAt, id) => {
    query.where('created_at', '>=', createdAt).where((either) => {
      either.where('created_at', '>', createdAt).orWhere((both) => {
        both.where('created_at', createdAt).where('id', '>', id)
      })
    })
  })
}
