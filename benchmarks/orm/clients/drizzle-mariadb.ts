import { asc, count, eq, sql } from 'drizzle-orm'
import { bigint, datetime, int, mysqlTable, text } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import { createPool } from 'mysql2/promise'
import type { Library } from '../library.ts'
import { pageSize } from '../posts.ts'
import { addressOf, exactTexts } from './address.ts'
import { cursorPage, numberedPage, plainTimes } from './row.ts'
import { decodeToken } from './token.ts'

const posts = mysqlTable('posts', {
  id: bigint({ mode: 'bigint' }).primaryKey(),
  category: int().notNull(),
  title: text().notNull(),
  views: int().notNull(),
  createdAt: datetime('created_at', { fsp: 6, mode: 'string' }).notNull(),
  authorId: bigint('author_id', { mode: 'bigint' }).notNull(),
})

/** Drizzle on `mysql2` with the prepared statements that it offers where speed counts. */
export async function openPrepared(url: string): Promise<Library> {
  const db = drizzle(createPool({ ...addressOf(url), ...exactTexts }))
  const order = [asc(posts.createdAt), asc(posts.id)]
  const { placeholder } = sql
  const [at, id] = [placeholder('at'), placeholder('id')]
  const first = db
    .select()
    .from(posts)
    .orderBy(...order)
    .limit(pageSize + 1)
    .prepare()
  const after = db
    .select()
    .from(posts)
    .where(
      sql`${posts.createdAt} >= ${at} and (${posts.createdAt} > ${at} or (${posts.createdAt} = ${at} and ${posts.id} > ${id}))`,
    )
    .orderBy(...order)
    .limit(pageSize + 1)
    .prepare()
  const inCategory = eq(posts.category, placeholder('category'))
  const slice = db
    .select()
    .from(posts)
    .where(inCategory)
    .orderBy(...order)
    .limit(pageSize)
    .offset(placeholder('offset'))
    .prepare()
  const counted = db.select({ total: count() }).from(posts).where(inCategory).prepare()

  return {
    async walk(token) {
      if (token === null) return cursorPage(await first.execute(), plainTimes)
      const [at, id] = decodeToken(token)
      return cursorPage(await after.execute({ at, id }), plainTimes)
    },
    async list(category, page) {
      const [rows, [row]] = await Promise.all([
        slice.execute({ category, offset: (page - 1) * pageSize }),
        counted.execute({ category }),
      ])
      return numberedPage(rows, row?.total ?? NaN, plainTimes)
    },
    tokenAfter: plainTimes.tokenAfter,
  }
}
