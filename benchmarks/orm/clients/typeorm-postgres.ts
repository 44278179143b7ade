import { types } from 'pg'
import { DataSource, EntitySchema } from 'typeorm'
import type { Library } from '../library.ts'
import { pageSize, type Post } from '../posts.ts'
import { zonedTimes } from './row.ts'
import { decodeToken, encodeToken } from './token.ts'

// TypeORM gives 64-bit integers as texts unless a column says otherwise.
const asBigint = { from: (text: string) => BigInt(text), to: (value: bigint) => value }

const Posts = new EntitySchema<Post>({
  name: 'Post',
  tableName: 'posts',
  columns: {
    id: { type: 'bigint', primary: true, transformer: asBigint },
    category: { type: 'integer' },
    title: { type: 'text' },
    views: { type: 'integer' },
    createdAt: { type: 'timestamp with time zone', name: 'created_at', precision: 6 },
    authorId: { type: 'bigint', name: 'author_id', transformer: asBigint },
  },
})

/** TypeORM on `pg`. The raw rows beside the entities keep the microseconds that a token needs. */
export async function open(url: string): Promise<Library> {
  types.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => text)
  const source = new DataSource({ type: 'postgres', url, entities: [Posts] })
  await source.initialize()
  const repository = source.getRepository(Posts)

  return {
    async walk(token) {
      const query = repository
        .createQueryBuilder('post')
        .orderBy('post.createdAt')
        .addOrderBy('post.id')
        .limit(pageSize + 1)
      if (token !== null) {
        const [at, id] = decodeToken(token)
        query.where('(post.createdAt, post.id) > (:at, :id)', { at, id })
      }
      const { entities, raw } = await query.getRawAndEntities<RawPost>()
      const last = raw.length > pageSize ? raw[pageSize - 1] : undefined
      return {
        items: entities.slice(0, pageSize),
        next: last === undefined ? null : encodeToken([last.post_created_at, last.post_id]),
      }
    },
    async list(category, page) {
      const [items, total] = await repository.findAndCount({
        where: { category },
        order: { createdAt: 'ASC', id: 'ASC' },
        take: pageSize,
        skip: (page - 1) * pageSize,
      })
      return { items, total, pages: Math.ceil(total / pageSize) }
    },
    tokenAfter: zonedTimes.tokenAfter,
  }
}

interface RawPost {
  readonly post_id: string
  readonly post_created_at: string
}
