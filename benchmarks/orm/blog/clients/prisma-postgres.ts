import { PrismaPg } from '@prisma/adapter-pg'
import { prismaClient } from '../../clients/prisma-client.ts'
import {
  type Blog,
  type Counter,
  feedComments,
  type FeedPost,
  feedPosts,
  type NewCounter,
  type NewEvent,
  type StoredEvent,
  talliedPosts,
} from '../blog.ts'

/** Prisma on `pg`. It has no upsert of many rows. */
export async function open(url: string): Promise<Blog> {
  const names = new Map<string, string>()
  const adapter = new PrismaPg(url, {
    // Without names nothing stays prepared.
    statementNameGenerator: ({ sql }) => {
      const name = names.get(sql) ?? `s${names.size}`
      names.set(sql, name)
      return name
    },
  })
  const { PrismaClient }: PrismaModule = await import(prismaClient)
  const { post, comment, event, counter } = new PrismaClient({ adapter })

  return {
    feed: async (from) =>
      post.findMany({
        where: { id: { gte: from } },
        orderBy: { id: 'asc' },
        take: feedPosts,
        select: {
          id: true,
          title: true,
          comments: {
            orderBy: { id: 'desc' },
            take: feedComments,
            include: { author: true },
          },
        },
      }),
    tally: async (from) => {
      const rows = await comment.groupBy({
        by: ['authorId'],
        where: { postId: { gte: from, lt: from + BigInt(talliedPosts) } },
        _count: true,
        _sum: { score: true },
        _max: { score: true },
      })
      return rows.map(({ authorId, _count, _sum, _max }) => ({
        authorId,
        comments: _count,
        score: _sum.score ?? 0,
        best: _max.score ?? 0,
      }))
    },
    insertMany: async (list) => event.createManyAndReturn({ data: list }),
    upsert: async ({ name, hits }) =>
      counter.upsert({ where: { name }, create: { name, hits }, update: { hits } }),
    upsertMany: null,
    increment: async (id, by) =>
      counter.update({ where: { id }, data: { hits: { increment: by } } }),
  }
}

interface Grouped {
  readonly authorId: bigint
  readonly _count: number
  readonly _sum: { readonly score: number | null }
  readonly _max: { readonly score: number | null }
}

/** What is used of the client that Prisma writes; it does not exist before the benchmark runs. */
interface PrismaModule {
  readonly PrismaClient: new (options: { adapter: PrismaPg }) => {
    readonly post: { findMany(query: object): Promise<readonly FeedPost[]> }
    readonly comment: { groupBy(query: object): Promise<readonly Grouped[]> }
    readonly event: {
      createManyAndReturn(query: { data: readonly NewEvent[] }): Promise<readonly StoredEvent[]>
    }
    readonly counter: {
      upsert(query: {
        where: Pick<NewCounter, 'name'>
        create: NewCounter
        update: Pick<NewCounter, 'hits'>
      }): Promise<Counter>
      update(query: object): Promise<Counter>
    }
  }
}
