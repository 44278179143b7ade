import { and, asc, count, desc, eq, gte, lt, max, relations, sql, sum } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { type Blog, type Counter, feedComments, feedPosts, talliedPosts } from '../blog.ts'

const key = (name: string) => bigint(name, { mode: 'bigint' })

const authors = pgTable('authors', { id: key('id').primaryKey(), name: text().notNull() })
const posts = pgTable('posts', { id: key('id').primaryKey(), title: text().notNull() })
const comments = pgTable('comments', {
  id: key('id').primaryKey(),
  postId: key('post_id').notNull(),
  authorId: key('author_id').notNull(),
  body: text().notNull(),
  score: integer().notNull(),
})
const events = pgTable('events', {
  id: key('id').primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull(),
  amount: integer().notNull(),
  at: timestamp({ withTimezone: true, precision: 6 }).notNull(),
})
const counters = pgTable('counters', {
  id: key('id').primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull().unique(),
  hits: integer().notNull(),
})
const postsRelations = relations(posts, ({ many }) => ({ comments: many(comments) }))
const commentsRelations = relations(comments, ({ one }) => ({
  post: one(posts, { fields: [comments.postId], references: [posts.id] }),
  author: one(authors, { fields: [comments.authorId], references: [authors.id] }),
}))

/** Drizzle on `pg`, with its relational queries. */
export async function open(url: string): Promise<Blog> {
  const schema = { authors, posts, comments, events, counters, postsRelations, commentsRelations }
  const db = drizzle(url, { schema })
  const onConflict = { target: counters.name, set: { hits: sql`excluded.hits` } }

  return {
    feed: async (from) =>
      db.query.posts.findMany({
        where: gte(posts.id, from),
        orderBy: asc(posts.id),
        limit: feedPosts,
        with: {
          comments: {
            orderBy: desc(comments.id),
            limit: feedComments,
            with: { author: true },
          },
        },
      }),
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
    insertMany: async (list) =>
      db
        .insert(events)
        .values([...list])
        .returning(),
    upsert: async (counter) =>
      only(await db.insert(counters).values(counter).onConflictDoUpdate(onConflict).returning()),
    upsertMany: async (list) =>
      db
        .insert(counters)
        .values([...list])
        .onConflictDoUpdate(onConflict)
        .returning(),
    increment: async (id, by) =>
      only(
        await db
          .update(counters)
          .set({ hits: sql`${counters.hits} + ${by}` })
          .where(eq(counters.id, id))
          .returning(),
      ),
  }
}

function only([row]: readonly Counter[]): Counter {
  if (row === undefined) throw new Error('no counter was returned')
  return row
}
