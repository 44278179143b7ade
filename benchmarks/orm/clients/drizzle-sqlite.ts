import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { asc, count, eq, sql } from 'drizzle-orm'
import { customType, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { Library } from '../library.ts'
import { pageSize } from '../posts.ts'
import { fileOf } from './address.ts'
import { cursorPage, numberedPage, plainTimes } from './row.ts'
import { decodeToken } from './token.ts'

const int64 = customType<{ data: bigint; driverData: bigint }>({ dataType: () => 'integer' })
const int = customType<{ data: number; driverData: bigint }>({
  dataType: () => 'integer',
  fromDriver: Number,
})

const posts = sqliteTable('posts', {
  id: int64().primaryKey(),
  category: int().notNull(),
  title: text().notNull(),
  views: int().notNull(),
  createdAt: text('created_at').notNull(),
  authorId: int64('author_id').notNull(),
})

/** Drizzle on `node:sqlite` by way of its proxy driver, which needs nothing compiled. */
export async function openPrepared(url: string): Promise<Library> {
  const database = new DatabaseSync(fileOf(url))
  const statements = new Map<string, StatementSync>()
  const prepared = (text: string): StatementSync => {
    const known = statements.get(text)
    if (known !== undefined) return known
    const statement = database.prepare(text)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    statements.set(text, statement)
    return statement
  }
  const db = drizzle(async (text, values) => ({ rows: prepared(text).all(...values) }))
  const order = [asc(posts.createdAt), asc(posts.id)]
  const { placeholder } = sql
  const first = db
    .select()
    .from(posts)
    .orderBy(...order)
    .limit(pageSize + 1)
    .prepare()
  const after = db
    .select()
    .from(posts)
    .where(sql`(${posts.createdAt}, ${posts.id}) > (${placeholder('at')}, ${placeholder('id')})`)
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
      return cursorPage(await after.execute({ at, id: BigInt(id) }), plainTimes)
    },
    async list(category, page) {
      const [rows, [row]] = await Promise.all([
        slice.execute({ category, offset: (page - 1) * pageSize }),
        counted.execute({ category }),
      ])
      return numberedPage(rows, Number(row?.total), plainTimes)
    },
    tokenAfter: plainTimes.tokenAfter,
  }
}
