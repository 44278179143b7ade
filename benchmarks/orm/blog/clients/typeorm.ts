import { DataSource, EntitySchema, MoreThanOrEqual } from 'typeorm'
import { addressOf } from '../../clients/address.ts'
import {
  type Blog,
  type Counter,
  feedComments,
  feedPosts,
  type StoredEvent,
  talliedPosts,
} from '../blog.ts'
import type { Whole } from './feed-rows.ts'

// TypeORM gives 64-bit integers as texts unless a column says otherwise.
const asBigint = { from: (text: string) => BigInt(text), to: (value: unknown) => value }
const key = { type: 'bigint', primary: true, transformer: asBigint } as const

interface Author {
  readonly id: bigint
  readonly name: string
}
interface Comment {
  readonly id: bigint
  readonly postId: bigint
  readonly authorId: bigint
  readonly body: string
  readonly score: number
  readonly author: Author
  readonly post: Post
}
interface Post {
  readonly id: bigint
  readonly title: string
  readonly comments: Comment[]
}

const Authors = new EntitySchema<Author>({
  name: 'Author',
  tableName: 'authors',
  columns: { id: key, name: { type: 'text' } },
})
const Posts = new EntitySchema<Post>({
  name: 'Post',
  tableName: 'posts',
  columns: { id: key, title: { type: 'text' } },
  relations: { comments: { type: 'one-to-many', target: 'Comment', inverseSide: 'post' } },
})
const Comments = new EntitySchema<Comment>({
  name: 'Comment',
  tableName: 'comments',
  columns: {
    id: key,
    postId: { type: 'bigint', name: 'post_id', transformer: asBigint },
    authorId: { type: 'bigint', name: 'author_id', transformer: asBigint },
    body: { type: 'text' },
    score: { type: 'integer' },
  },
  relations: {
    author: { type: 'many-to-one', target: 'Author', joinColumn: { name: 'author_id' } },
    post: {
      type: 'many-to-one',
      target: 'Post',
      joinColumn: { name: 'post_id' },
      inverseSide: 'comments',
    },
  },
})
const Counters = new EntitySchema<Counter>({
  name: 'Counter',
  tableName: 'counters',
  columns: {
    id: { ...key, generated: 'increment' },
    name: { type: 'varchar', length: 60, unique: true },
    hits: { type: 'integer' },
  },
})

const eventsWith = (type: 'timestamp with time zone' | 'datetime') =>
  new EntitySchema<StoredEvent>({
    name: 'Event',
    tableName: 'events',
    columns: {
      id: { ...key, generated: 'increment' },
      name: { type: 'varchar', length: 60 },
      amount: { type: 'integer' },
      at: { type, precision: 6 },
    },
  })

/** TypeORM on `pg`. */
export async function openPostgres(url: string): Promise<Blog> {
  const Events = eventsWith('timestamp with time zone')
  const entities = [Authors, Posts, Comments, Events, Counters]
  return blogOn(new DataSource({ type: 'postgres', url, entities }), Events)
}

/** TypeORM on `mysql2`. */
export async function openMariadb(url: string): Promise<Blog> {
  const { host, port, user, password, database } = addressOf(url)
  const Events = eventsWith('datetime')
  const entities = [Authors, Posts, Comments, Events, Counters]
  const where = { host, port, username: user, password, database }
  const options = { supportBigNumbers: true, bigNumberStrings: true, timezone: 'Z' }
  return blogOn(new DataSource({ type: 'mariadb', ...where, ...options, entities }), Events)
}

/** It cannot limit the comments of each post: all are read, and the newest are taken from them. */
async function blogOn(source: DataSource, Events: EntitySchema<StoredEvent>): Promise<Blog> {
  await source.initialize()
  const posts = source.getRepository(Posts)
  const comments = source.getRepository(Comments)
  const counters = source.getRepository(Counters)
  const events = source.getRepository(Events)

  return {
    feed: async (from) => {
      const found = await posts.find({
        where: { id: MoreThanOrEqual(from) },
        order: { id: 'ASC' },
        take: feedPosts,
        relations: { comments: { author: true } },
        relationLoadStrategy: 'query',
      })
      return found.map(({ id, title, comments }) => ({
        id,
        title,
        comments: comments
          .toSorted((one, other) => (other.id > one.id ? 1 : -1))
          .slice(0, feedComments),
      }))
    },
    tally: async (from) => {
      const rows = await comments
        .createQueryBuilder('comment')
        .select('comment.author_id', 'author')
        .addSelect('COUNT(*)', 'comments')
        .addSelect('SUM(comment.score)', 'score')
        .addSelect('MAX(comment.score)', 'best')
        .where('comment.post_id >= :from AND comment.post_id < :to', {
          from,
          to: from + BigInt(talliedPosts),
        })
        .groupBy('comment.author_id')
        .getRawMany<Record<'author' | 'comments' | 'score' | 'best', Whole>>()
      return rows.map(({ author, comments, score, best }) => ({
        authorId: BigInt(author),
        comments: Number(comments),
        score: Number(score),
        best: Number(best),
      }))
    },
    // Its insert returns the keys; what was given is what is stored.
    insertMany: async (list) => {
      const { identifiers } = await events.insert(list.map((event) => ({ ...event })))
      return list.map((event, place) => ({ ...event, id: BigInt(identifiers[place]?.['id'] ?? 0) }))
    },
    upsert: async (counter) => {
      await counters.upsert({ ...counter }, ['name'])
      return counters.findOneByOrFail({ name: counter.name })
    },
    upsertMany: async (list) => {
      const { identifiers } = await counters.upsert(
        list.map((counter) => ({ ...counter })),
        ['name'],
      )
      return list.map((counter, place) => ({
        ...counter,
        id: BigInt(identifiers[place]?.['id'] ?? 0),
      }))
    },
    increment: async (id, by) => {
      await counters.increment({ id }, 'hits', by)
      return counters.findOneByOrFail({ id })
    },
  }
}
