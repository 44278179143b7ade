import { defineEntity, MikroORM, p, Type } from '@mikro-orm/postgresql'
import type { Library } from '../library.ts'
import { pageSize } from '../posts.ts'
import { numberedPage, toPost, zonedTimes } from './row.ts'

/** A time with its microseconds, which a `Date` would lose, and with it the place of a cursor. */
class ExactTime extends Type<string, string> {
  override getColumnType(): string {
    return 'timestamptz(6)'
  }

  override compareAsType(): string {
    return 'string'
  }

  override fromJSON(value: string): string {
    return value
  }
}

const Posts = defineEntity({
  name: 'Post',
  tableName: 'posts',
  properties: {
    id: p.bigint().primary(),
    category: p.integer(),
    title: p.text(),
    views: p.integer(),
    createdAt: p.type(ExactTime).name('created_at'),
    authorId: p.bigint().name('author_id'),
  },
})

/** MikroORM with its own cursors, in a fresh context for each page as its guide asks for. */
export async function open(url: string): Promise<Library> {
  const orm = await MikroORM.init({ entities: [Posts], clientUrl: url })
  const orderBy = { createdAt: 'asc', id: 'asc' } as const

  return {
    async walk(token) {
      const cursor = await orm.em.fork().findByCursor(Posts, {
        first: pageSize,
        ...(token === null ? {} : { after: token }),
        orderBy,
        includeCount: false,
      })
      return {
        items: cursor.items.map((row) => toPost(row, zonedTimes)),
        next: cursor.hasNextPage ? cursor.endCursor : null,
      }
    },
    async list(category, page) {
      const [rows, total] = await orm.em
        .fork()
        .findAndCount(
          Posts,
          { category },
          { orderBy, limit: pageSize, offset: (page - 1) * pageSize },
        )
      return numberedPage(rows, total, zonedTimes)
    },
    tokenAfter: zonedTimes.tokenAfter,
  }
}
