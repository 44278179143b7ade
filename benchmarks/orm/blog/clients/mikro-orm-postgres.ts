import { defineEntity, MikroORM, p, raw, type RawQueryFragment } from '@mikro-orm/postgresql'
import { type Blog, feedComments, feedPosts, talliedPosts } from '../blog.ts'
import type { Whole } from './feed-rows.ts'

const Authors = defineEntity({
  name: 'Author',
  tableName: 'authors',
  properties: { id: p.bigint().primary(), name: p.text() },
})
const Posts = defineEntity({
  name: 'Post',
  tableName: 'posts',
  properties: {
    id: p.bigint().primary(),
    title: p.text(),
    comments: () => p.oneToMany(Comments).mappedBy('post'),
  },
})
const Comments = defineEntity({
  name: 'Comment',
  tableName: 'comments',
  properties: {
    id: p.bigint().primary(),
    body: p.text(),
    score: p.integer(),
    post: () => p.manyToOne(Posts).joinColumn('post_id'),
    author: () => p.manyToOne(Authors).joinColumn('author_id'),
  },
})
const Events = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: p.bigint().primary().autoincrement(),
    name: p.text(),
    amount: p.integer(),
    at: p.datetime().columnType('timestamptz(6)'),
  },
})
const Counters = defineEntity({
  name: 'Counter',
  tableName: 'counters',
  properties: {
    id: p.bigint().primary().autoincrement(),
    name: p.text().unique(),
    hits: p.integer(),
  },
})

/**
 * MikroORM, in a fresh context for each piece of work as its guide asks for. The comments of each
 * post are populated, all of them, and the newest are taken.
 */
export async function open(url: string): Promise<Blog> {
  const entities = [Authors, Posts, Comments, Events, Counters]
  const orm = await MikroORM.init({ entities, clientUrl: url })

  return {
    feed: async (from) => {
      const found = await orm.em.fork().find(
        Posts,
        { id: { $gte: from } },
        {
          orderBy: { id: 'asc' },
          limit: feedPosts,
          populate: ['comments', 'comments.author'],
          strategy: 'select-in',
        },
      )
      return found.map(({ id, title, comments }) => ({
        id,
        title,
        comments: comments
          .getItems()
          .map(({ id, body, score, author }) => ({
            id,
            body,
            score,
            author: { id: author.id, name: author.name },
          }))
          .toSorted((one, other) => (other.id > one.id ? 1 : -1))
          .slice(0, feedComments),
      }))
    },
    tally: async (from) => {
      const rows: Record<'author_id' | 'comments' | 'score' | 'best', Whole>[] = await orm.em
        .fork()
        .createQueryBuilder(Comments)
        .select([
          raw('author_id'),
          raw('count(*) as comments'),
          raw('sum(score) as score'),
          raw('max(score) as best'),
        ])
        .where({ post: { $gte: from, $lt: from + BigInt(talliedPosts) } })
        .groupBy('author')
        .execute('all', false)
      return rows.map(({ author_id, comments, score, best }) => ({
        authorId: BigInt(author_id),
        comments: Number(comments),
        score: Number(score),
        best: Number(best),
      }))
    },
    insertMany: async (list) => {
      const em = orm.em.fork()
      const stored = list.map((event) => em.create(Events, { ...event }))
      await em.flush()
      return stored.map(({ id, name, amount, at }) => ({ id, name, amount, at }))
    },
    upsert: async (counter) => {
      const { id, name, hits } = await orm.em
        .fork()
        .upsert(Counters, { ...counter }, { onConflictFields: ['name'] })
      return { id, name, hits }
    },
    upsertMany: async (list) => {
      const stored = await orm.em.fork().upsertMany(
        Counters,
        list.map((counter) => ({ ...counter })),
        { onConflictFields: ['name'] },
      )
      return stored.map(({ id, name, hits }) => ({ id, name, hits }))
    },
    increment: async (key, by) => {
      const em = orm.em.fork()
      const hits: RawQueryFragment = raw('hits + ?', [by])
      await em.nativeUpdate(Counters, { id: key }, { hits })
      const stored = await em.findOneOrFail(Counters, { id: key })
      return { id: stored.id, name: stored.name, hits: stored.hits }
    },
  }
}
