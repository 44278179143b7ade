import { and, asc, count, desc, eq, gte, inArray, lt, lte, max, sql, sum } from 'drizzle-orm'
import { bigint, datetime, int, mysqlTable, text, varchar } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import { createPool } from 'mysql2/promise'
import { addressOf, exactTexts } from '../../clients/address.ts'
import { type Blog, type Counter, feedComments, feedPosts, talliedPosts } from '../blog.ts'
import { assembleFeed, inOrder } from './feed-rows.ts'
import { plainText } from './times.ts'

const key = (name: string) => bigint(name, { mode: 'bigint' })

const authors = mysqlTable('authors', { id: key('id').primaryKey(), name: text().notNull() })
const posts = mysqlTable('posts', { id: key('id').primaryKey(), title: text().notNull() })
const comments = mysqlTable('comments', {
  id: key('id').primaryKey(),
  postId: key('post_id').notNull(),
  authorId: key('author_id').notNull(),
  body: text().notNull(),
  score: int().notNull(),
})
const events = mysqlTable('events', {
  id: key('id').primaryKey().autoincrement(),
  name: varchar({ length: 60 }).notNull(),
  amount: int().notNull(),
  at: datetime({ fsp: 6, mode: 'string' }).notNull(),
})
const counters = mysqlTable('counters', {
  id: key('id').primaryKey().autoincrement(),
  name: varchar({ length: 60 }).notNull().unique(),
  hits: int().notNull(),
})

/**
 * Drizzle on `mysql2`. Its relational queries need LATERAL, which MariaDB lacks, so that comments
 * are joined by a window; its writes return no rows here.
 */
export async function open(url: string): Promise<Blog> {
  const db = drizzle(createPool({ ...addressOf(url), ...exactTexts }))
  const set = { hits: sql`values(hits)` }
  const byName = async (names: readonly string[]): Promise<readonly Counter[]> => {
    const rows = await db
      .select()
      .from(counters)
      .where(inArray(counters.name, [...names]))
    return inOrder(rows, names)
  }

  return {
    feed: async (from) => {
      const found = await db
        .select()
        .from(posts)
        .where(gte(posts.id, from))
        .orderBy(asc(posts.id))
        .limit(feedPosts)
      const ranked = db
        .select({
          id: comments.id,
          postId: comments.postId,
          authorId: comments.authorId,
          body: comments.body,
          score: comments.score,
          place:
            sql<number>`row_number() over (partition by ${comments.postId} order by ${comments.id} desc)`.as(
              'place',
            ),
        })
        .from(comments)
        .where(
          inArray(
            comments.postId,
            found.map(({ id }) => id),
          ),
        )
        .as('ranked')
      const rows = await db
        .select({
          id: ranked.id,
          postId: ranked.postId,
          body: ranked.body,
          score: ranked.score,
          authorId: ranked.authorId,
          authorName: authors.name,
        })
        .from(ranked)
        .innerJoin(authors, eq(authors.id, ranked.authorId))
        .where(lte(ranked.place, feedComments))
        .orderBy(desc(ranked.id))
      return assembleFeed(found, rows)
    },
    tally: async (from) => {
      const rows = await db
        .select({
          authorId: comments.authorId,
          comments: count(),
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
      const [{ insertId }] = await db
        .insert(events)
        .values(list.map(({ name, amount, at }) => ({ name, amount, at: plainText(at) })))
      const rows = await db
        .select()
        .from(events)
        .where(gte(events.id, BigInt(insertId)))
        .orderBy(asc(events.id))
        .limit(list.length)
      return rows.map(({ id, name, amount, at }) => ({
        id,
        name,
        amount,
        at: new Date(`${at}Z`),
      }))
    },
    upsert: async (counter) => {
      await db.insert(counters).values(counter).onDuplicateKeyUpdate({ set })
      return only(await byName([counter.name]))
    },
    upsertMany: async (list) => {
      await db
        .insert(counters)
        .values([...list])
        .onDuplicateKeyUpdate({ set })
      return byName(list.map(({ name }) => name))
    },
    increment: async (id, by) => {
      await db
        .update(counters)
        .set({ hits: sql`${counters.hits} + ${by}` })
        .where(eq(counters.id, id))
      return only(await db.select().from(counters).where(eq(counters.id, id)))
    },
  }
}

function only([row]: readonly Counter[]): Counter {
  if (row === undefined) throw new Error('no counter was returned')
  return row
}
