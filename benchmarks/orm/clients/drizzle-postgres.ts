import { asc, count, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Library } from '../library.ts'
import { pageSize } from '../posts.ts'
import { cursorPage, numberedPage, zonedTimes } from './row.ts'
import { decodeToken } from './token.ts'

const posts = pgTable('posts', {
  id: bigint({ mode: 'bigint' }).primaryKey(),
  category: integer().notNull(),
  title: text().notNull(),
  views: integer().notNull(),
  createdAt: timestamp('created_at', {
    withTimezone: true,
    precision: 6,
    mode: 'string',
  }).notNull(),
  authorId: bigint('author_id', { mode: 'bigint' }).notNull(),
})
const order = [asc(posts.createdAt), asc(posts.id)]
const probe = pageSize + 1

/** Drizzle on `pg`, with a query built for every page. */
export async function open(url: string): Promise<Library> {
  const db = drizzle(url)
  const ordered = () =>
    db
      .select()
      .from(posts)
      .orderBy(...order)

  return {
    async walk(token) {
      if (token === null) return cursorPage(await ordered().limit(probe), zonedTimes)
      const [at, id] = decodeToken(token)
      const behind = sql`(${posts.createdAt}, ${posts.id}) > (${at}, ${id})`
      return cursorPage(await ordered().where(behind).limit(probe), zonedTimes)
    },
    async list(category, page) {
      const inCategory = eq(posts.category, category)
      const [rows, total] = await Promise.all([
        ordered()
          .where(inCategory)
          .limit(pageSize)
          .offset((page - 1) * pageSize),
        db.$count(posts, inCategory),
      ])
      return numberedPage(rows, total, zonedTimes)
    },
    tokenAfter: zonedTimes.tokenAfter,
  }
}

/** Drizzle on `pg` with the prepared statements that Drizzle offers where speed counts. */
export async function openPrepared(url: string): Promise<Library> {
  const db = drizzle(url)
  const { placeholder } = sql
  const first = db
    .select()
    .from(posts)
    .orderBy(...order)
    .limit(probe)
    .prepare('first')
  const after = db
    .select()
    .from(posts)
    .where(sql`(${posts.createdAt}, ${posts.id}) > (${placeholder('at')}, ${placeholder('id')})`)
    .orderBy(...order)
    .limit(probe)
    .prepare('after')
  const inCategory = eq(posts.category, placeholder('category'))
  const slice = db
    .select()
    .from(posts)
    .where(inCategory)
    .orderBy(...order)
    .limit(pageSize)
    .offset(placeholder('offset'))
    .prepare('slice')
  const counted = db.select({ total: count() }).from(posts).where(inCategory).prepare('counted')

  return {
    async walk(token) {
      if (token === null) return cursorPage(await first.execute(), zonedTimes)
      const [at, id] = decodeToken(token)
      return cursorPage(await after.execute({ at, id }), zonedTimes)
    },
    async list(category, page) {
      const [rows, [row]] = await Promise.all([
        slice.execute({ category, offset: (page - 1) * pageSize }),
        counted.execute({ category }),
      ])
      return numberedPage(rows, row?.total ?? NaN, zonedTimes)
    },
    tokenAfter: zonedTimes.tokenAfter,
  }
}
