import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { and, asc, count, desc, gte, lt, max, relations, sql, sum } from 'drizzle-orm'
import { customType, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { fileOf } from '../../clients/address.ts'
import { type Blog, type Counter, feedComments, feedPosts, talliedPosts } from '../blog.ts'
import { plainText } from './times.ts'

const int64 = customType<{ data: bigint; driverData: bigint }>({
  dataType: () => 'integer',
  fromDriver: BigInt,
})
const int = customType<{ data: number; driverData: bigint | number }>({
  dataType: () => 'integer',
  fromDriver: Number,
})

const authors = sqliteTable('authors', { id: int64().primaryKey(), name: text().notNull() })
const posts = sqliteTable('posts', { id: int64().primaryKey(), title: text().notNull() })
const comments = sqliteTable('comments', {
  id: int64().primaryKey(),
  postId: int64('post_id').notNull(),
  authorId: int64('author_id').notNull(),
  body: text().notNull(),
  score: int().notNull(),
})
const events = sqliteTable('events', {
  id: integer().primaryKey(),
  name: text().notNull(),
  amount: int().notNull(),
  at: text().notNull(),
})
const counters = sqliteTable('counters', {
  id: integer().primaryKey(),
  name: text().notNull().unique(),
  hits: int().notNull(),
})
const postsRelations = relations(posts, ({ many }) => ({ comments: many(comments) }))
const commentsRelations = relations(comments, ({ one }) => ({
  post: one(posts, { fields: [comments.postId], references: [posts.id] }),
  author: one(authors, { fields: [comments.authorId], references: [authors.id] }),
}))

/** Drizzle on `node:sqlite` by way of its proxy driver, with its relational queries. */
export async function open(url: string): Promise<Blog> {
  const database = new DatabaseSync(fileOf(url))
  database.exec('PRAGMA synchronous = NORMAL')
  database.exec('PRAGMA busy_timeout = 5000')
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
  const schema = { authors, posts, comments, events, counters, postsRelations, commentsRelations }
  const db = drizzle(async (text, values) => ({ rows: prepared(text).all(...values) }), { schema })
  const onConflict = { target: counters.name, set: { hits: sql`excluded.hits` } }

  return {
    feed: async (from) =>
      db.query.posts.findMany({
        where: gte(posts.id, from),
        orderBy: asc(posts.id),
        limit: feedPosts,
        with: {
          comments: { orderBy: desc(comments.id), limit: feedComments, with: { author: true } },
        },
      }),
    tally: async (from) => {
      const rows = await db
        .select({
          authorId: comments.authorId,
          comments: count().mapWith(Number),
          score: sum(comments.score).mapWith(Number),
          best: max(comments.score),
        })
        .from(comments)
        .where(and(gte(comments.postId, from), lt(comments.postId, from + BigInt(talliedPosts))))
        .groupBy(comments.authorId)
      return rows.map(({ authorId, comments, score, best }) => ({
        authorId,
        comments,
        score,
        best: best ?? 0,
      }))
    },
    insertMany: async (list) => {
      const rows = await db
        .insert(events)
        .values(list.map(({ name, amount, at }) => ({ name, amount, at: plainText(at) })))
        .returning()
      return rows.map(({ id, name, amount, at }) => ({
        id: BigInt(id),
        name,
        amount,
        at: new Date(`${at}Z`),
      }))
    },
    upsert: async (counter) =>
      only(await db.insert(counters).values(counter).onConflictDoUpdate(onConflict).returning()),
    upsertMany: async (list) => {
      const rows = await db
        .insert(counters)
        .values([...list])
        .onConflictDoUpdate(onConflict)
        .returning()
      return rows.map(toCounter)
    },
    increment: async (id, by) =>
      only(
        await db
          .update(counters)
          .set({ hits: sql`${counters.hits} + ${by}` })
          .where(sql`${counters.id} = ${id}`)
          .returning(),
      ),
  }
}

type CounterRow = typeof counters.$inferSelect

function toCounter({ id, name, hits }: CounterRow): Counter {
  return { id: BigInt(id), name, hits }
}

function only([row]: readonly CounterRow[]): Counter {
  if (row === undefined) throw new Error('no counter was returned')
  return toCounter(row)
}
