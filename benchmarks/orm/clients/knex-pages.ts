import type { Knex } from 'knex'
import type { Library } from '../library.ts'
import { pageSize } from '../posts.ts'
import { cursorPage, numberedPage, type TimedRow, type Times } from './row.ts'
import { decodeToken } from './token.ts'

/** Narrows a query to the rows behind a place. */
export type Seek = (query: Knex.QueryBuilder, createdAt: string, id: string) => void

/** Pages with Knex on any database. */
export function knexPages(db: Knex, times: Times, seek: Seek): Library {
  const ordered = () =>
    db<TimedRow>('posts')
      .select('id', 'category', 'title', 'views')
      .select({ createdAt: 'created_at', authorId: 'author_id' })
      .orderBy('created_at')
      .orderBy('id')

  return {
    async walk(token) {
      const query = ordered().limit(pageSize + 1)
      if (token !== null) seek(query, ...decodeToken(token))
      return cursorPage(await query, times)
    },
    async list(category, page) {
      const [rows, counted] = await Promise.all([
        ordered()
          .where({ category })
          .limit(pageSize)
          .offset((page - 1) * pageSize),
        db('posts').where({ category }).count({ total: '*' }).first(),
      ])
      return numberedPage(rows, Number(counted?.['total']), times)
    },
    tokenAfter: times.tokenAfter,
  }
}
