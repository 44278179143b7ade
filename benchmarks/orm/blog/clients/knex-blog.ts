import type { Knex } from 'knex'
import {
  type Blog,
  type Counter,
  feedComments,
  feedPosts,
  type NewCounter,
  talliedPosts,
} from '../blog.ts'
import { assembleFeed, inOrder, type CommentRow, type Whole } from './feed-rows.ts'

/** What databases differ in. */
export interface KnexDatabase {
  readonly db: Knex
  readonly toDate: (text: string) => Date
  readonly toText: (at: Date) => string
  /** Whether writes return rows; otherwise they are read afterwards. */
  readonly returns: boolean
}

interface CounterRow {
  readonly id: Whole
  readonly name: string
  readonly hits: Whole
}

interface EventRow {
  readonly id: Whole
  readonly name: string
  readonly amount: Whole
  readonly at: string
}

const counterColumns = ['id', 'name', 'hits']
const eventColumns = ['id', 'name', 'amount', 'at']

/** The blog with Knex on any database. It has no relations: comments are joined by a window. */
export function knexBlog({ db, toDate, toText, returns }: KnexDatabase): Blog {
  const upserted = async (rows: readonly NewCounter[]): Promise<readonly CounterRow[]> => {
    const upsert = db('counters')
      .insert([...rows])
      .onConflict('name')
      .merge(['hits'])
    if (returns) return upsert.returning(counterColumns)
    await upsert
    const names = rows.map(({ name }) => name)
    const found: CounterRow[] = await db('counters').select(counterColumns).whereIn('name', names)
    return inOrder(found, names)
  }
  const inserted = async (rows: readonly object[]): Promise<EventRow[]> => {
    if (returns) return db('events').insert(rows).returning(eventColumns)
    const [first = 0] = await db('events').insert(rows)
    return db('events')
      .select(eventColumns)
      .where('id', '>=', first)
      .orderBy('id')
      .limit(rows.length)
  }

  return {
    feed: async (from) => {
      const posts: { id: Whole; title: string }[] = await db('posts')
        .select('id', 'title')
        .where('id', '>=', String(from))
        .orderBy('id')
        .limit(feedPosts)
      const ranked = db('comments')
        .select('*')
        .rowNumber('place', { column: 'id', order: 'desc' }, 'post_id')
        .whereIn(
          'post_id',
          posts.map(({ id }) => String(id)),
        )
        .as('c')
      const comments: CommentRow[] = await db(ranked)
        .join('authors', 'authors.id', 'c.author_id')
        .select({ id: 'c.id', postId: 'c.post_id', body: 'c.body', score: 'c.score' })
        .select({ authorId: 'authors.id', authorName: 'authors.name' })
        .where('c.place', '<=', feedComments)
        .orderBy('c.id', 'desc')
      return assembleFeed(posts, comments)
    },
    tally: async (from) => {
      const rows: Record<'authorId' | 'comments' | 'score' | 'best', Whole>[] = await db('comments')
        .select({ authorId: 'author_id' })
        .count({ comments: '*' })
        .sum({ score: 'score' })
        .max({ best: 'score' })
        .where('post_id', '>=', String(from))
        .where('post_id', '<', String(from + BigInt(talliedPosts)))
        .groupBy('author_id')
      return rows.map(({ authorId, comments, score, best }) => ({
        authorId: BigInt(authorId),
        comments: Number(comments),
        score: Number(score),
        best: Number(best),
      }))
    },
    insertMany: async (events) => {
      const rows = await inserted(
        events.map(({ name, amount, at }) => ({ name, amount, at: toText(at) })),
      )
      return rows.map(({ id, name, amount, at }) => ({
        id: BigInt(id),
        name,
        amount: Number(amount),
        at: toDate(at),
      }))
    },
    upsert: async (counter) => onlyCounter(await upserted([counter])),
    upsertMany: async (counters) => (await upserted(counters)).map(toCounter),
    increment: async (id, by) => {
      const update = db('counters').where('id', String(id)).increment('hits', by)
      if (returns) return onlyCounter(await update.returning(counterColumns))
      await update
      return onlyCounter(await db('counters').select(counterColumns).where('id', String(id)))
    },
  }
}

function toCounter({ id, name, hits }: CounterRow): Counter {
  return { id: BigInt(id), name, hits: Number(hits) }
}

function onlyCounter([row]: readonly CounterRow[]): Counter {
  if (row === undefined) throw new Error('no counter was returned')
  return toCounter(row)
}
