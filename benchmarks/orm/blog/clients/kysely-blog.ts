import { type Generated, type Kysely, sql } from 'kysely'
import {
  type Blog,
  type Counter,
  feedComments,
  feedPosts,
  type NewCounter,
  type StoredEvent,
  talliedPosts,
} from '../blog.ts'
import { assembleFeed, inOrder, type Whole } from './feed-rows.ts'

/** The tables as kysely is told of them. */
export interface BlogTables {
  readonly posts: { readonly id: Whole; readonly title: string }
  readonly authors: { readonly id: Whole; readonly name: string }
  readonly comments: {
    readonly id: Whole
    readonly post_id: Whole
    readonly author_id: Whole
    readonly body: string
    readonly score: Whole
  }
  readonly events: {
    readonly id: Generated<Whole>
    readonly name: string
    readonly amount: Whole
    readonly at: string
  }
  readonly counters: {
    readonly id: Generated<Whole>
    readonly name: string
    readonly hits: Whole
  }
}

/** What databases differ in. */
export interface KyselyDatabase {
  readonly db: Kysely<BlogTables>
  readonly toDate: (text: string) => Date
  readonly toText: (at: Date) => string
  /** Whether it speaks MySQL, where kysely's writes return no rows: they are read afterwards. */
  readonly isMysql: boolean
}

interface NewEventRow {
  readonly name: string
  readonly amount: number
  readonly at: string
}

interface EventRow {
  readonly id: Whole
  readonly name: string
  readonly amount: Whole
  readonly at: string
}

interface CounterRow {
  readonly id: Whole
  readonly name: string
  readonly hits: Whole
}

/** The blog with kysely on any database. It has no relations: comments are joined by a window. */
export function kyselyBlog({ db, toDate, toText, isMysql }: KyselyDatabase): Blog {
  const upserted = async (rows: readonly NewCounter[]): Promise<readonly CounterRow[]> => {
    const insert = db.insertInto('counters').values([...rows])
    if (isMysql) {
      await insert.onDuplicateKeyUpdate({ hits: sql`values(hits)` }).execute()
      return byName(rows.map(({ name }) => name))
    }
    return insert
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((eb) => ({ hits: eb.ref('excluded.hits') })),
      )
      .returning(['id', 'name', 'hits'])
      .execute()
  }
  const byName = async (names: readonly string[]): Promise<readonly CounterRow[]> => {
    const rows = await db
      .selectFrom('counters')
      .select(['id', 'name', 'hits'])
      .where('name', 'in', names)
      .execute()
    return inOrder(rows, names)
  }
  const inserted = async (rows: readonly NewEventRow[]): Promise<readonly EventRow[]> => {
    const insert = db.insertInto('events').values([...rows])
    if (!isMysql) return insert.returning(['id', 'name', 'amount', 'at']).execute()
    const { insertId = 0n } = await insert.executeTakeFirstOrThrow()
    return db
      .selectFrom('events')
      .select(['id', 'name', 'amount', 'at'])
      .where('id', '>=', insertId)
      .orderBy('id')
      .limit(rows.length)
      .execute()
  }

  return {
    feed: async (from) => {
      const posts = await db
        .selectFrom('posts')
        .select(['id', 'title'])
        .where('id', '>=', from)
        .orderBy('id')
        .limit(feedPosts)
        .execute()
      const comments = await db
        .selectFrom((eb) =>
          eb
            .selectFrom('comments')
            .selectAll()
            .select(({ fn }) =>
              fn
                .agg<number>('row_number')
                .over((over) => over.partitionBy('post_id').orderBy('id', 'desc'))
                .as('place'),
            )
            .where(
              'post_id',
              'in',
              posts.map(({ id }) => id),
            )
            .as('c'),
        )
        .innerJoin('authors', 'authors.id', 'c.author_id')
        .select(['c.id', 'c.post_id as postId', 'c.body', 'c.score'])
        .select(['authors.id as authorId', 'authors.name as authorName'])
        .where('c.place', '<=', feedComments)
        .orderBy('c.id', 'desc')
        .execute()
      return assembleFeed(posts, comments)
    },
    tally: async (from) => {
      const rows = await db
        .selectFrom('comments')
        .select(({ fn }) => [
          'author_id as authorId',
          fn.countAll<Whole>().as('comments'),
          fn.sum<Whole>('score').as('score'),
          fn.max('score').as('best'),
        ])
        .where('post_id', '>=', from)
        .where('post_id', '<', from + BigInt(talliedPosts))
        .groupBy('author_id')
        .execute()
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
      return rows.map(({ id, name, amount, at }): StoredEvent => ({
        id: BigInt(id),
        name,
        amount: Number(amount),
        at: toDate(at),
      }))
    },
    upsert: async (counter) => onlyCounter(await upserted([counter])),
    upsertMany: async (counters) => (await upserted(counters)).map(toCounter),
    increment: async (id, by) => {
      const update = db
        .updateTable('counters')
        .set((eb) => ({ hits: eb('hits', '+', by) }))
        .where('id', '=', id)
      if (!isMysql) return onlyCounter(await update.returning(['id', 'name', 'hits']).execute())
      // An UPDATE returns no rows here.
      await update.execute()
      return onlyCounter(
        await db
          .selectFrom('counters')
          .select(['id', 'name', 'hits'])
          .where('id', '=', id)
          .execute(),
      )
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
