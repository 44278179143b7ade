import knex from 'knex'
import { types } from 'pg'
import { addressOf, exactTexts } from '../../clients/address.ts'
import type { Blog } from '../blog.ts'
import { knexBlog } from './knex-blog.ts'
import { plainText } from './times.ts'

/** Knex on `pg`. */
export async function openPostgres(url: string): Promise<Blog> {
  types.setTypeParser(types.builtins.INT8, BigInt)
  types.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => text)
  return knexBlog({
    db: knex({ client: 'pg', connection: url }),
    toDate: (text) => new Date(text),
    toText: (at) => at.toISOString(),
    returns: true,
  })
}

/** Knex on `mysql2`. */
export async function openMariadb(url: string): Promise<Blog> {
  return knexBlog({
    db: knex({ client: 'mysql2', connection: { ...addressOf(url), ...exactTexts } }),
    toDate: (text) => new Date(`${text}Z`),
    toText: plainText,
    returns: false,
  })
}
