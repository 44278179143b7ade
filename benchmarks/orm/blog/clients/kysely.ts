import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import { createPool } from 'mysql2'
import { DatabaseSync } from 'node:sqlite'
import { Pool, types } from 'pg'
import { addressOf, exactTexts, fileOf } from '../../clients/address.ts'
import { likeBetterSqlite } from '../../clients/kysely-sqlite.ts'
import type { Blog } from '../blog.ts'
import { type BlogTables, kyselyBlog } from './kysely-blog.ts'
import { plainText } from './times.ts'

/** kysely on `pg`. */
export async function openPostgres(url: string): Promise<Blog> {
  types.setTypeParser(types.builtins.INT8, BigInt)
  types.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => text)
  const dialect = new PostgresDialect({ pool: new Pool({ connectionString: url }) })
  return kyselyBlog({
    db: new Kysely<BlogTables>({ dialect }),
    toDate: (text) => new Date(text),
    toText: (at) => at.toISOString(),
    isMysql: false,
  })
}

/** kysely on `mysql2`. */
export async function openMariadb(url: string): Promise<Blog> {
  const pool = createPool({ ...addressOf(url), ...exactTexts })
  return kyselyBlog({
    db: new Kysely<BlogTables>({ dialect: new MysqlDialect({ pool }) }),
    toDate: (text) => new Date(`${text}Z`),
    toText: plainText,
    isMysql: true,
  })
}

/** kysely on `node:sqlite`. */
export async function openSqlite(url: string): Promise<Blog> {
  const database = new DatabaseSync(fileOf(url))
  database.exec('PRAGMA synchronous = NORMAL')
  database.exec('PRAGMA busy_timeout = 5000')
  const dialect = new SqliteDialect({ database: likeBetterSqlite(database) })
  return kyselyBlog({
    db: new Kysely<BlogTables>({ dialect }),
    toDate: (text) => new Date(`${text}Z`),
    toText: plainText,
    isMysql: false,
  })
}
