import type { Kysely } from 'kysely'
import type { Library } from '../library.ts'
import { pageSize } from '../posts.ts'
import { cursorPage, numberedPage, type TimedRow, type Times } from './row.ts'
import { decodeToken } from './token.ts'

/** The tables as kysely is told of them. */
export interface Tables {
  readonly posts: Omit<TimedRow, 'createdAt' | 'authorId'> & {
    readonly created_at: string
    readonly author_id: bigint | string
  }
}

/** How a database finds rows behind a place by an index. */
export type Seek = 'row values' | 'a bound and a chain'

/** Pages with kysely on any database. */
export function kyselyPages(db: Kysely<Tables>, times: Times, seek: Seek): Library {
  const ordered = () =>
    db
      .selectFrom('posts')
      .select(['id', 'category', 'title', 'views', 'created_at as createdAt'])
      .select('author_id as authorId')
      .orderBy('created_at')
      .orderBy('id')

  const behind = (token: string) => {
    const [createdAt, key] = decodeToken(token)
    const id = BigInt(key)
    if (seek === 'row values') {
      return ordered().where((eb) =>
        eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(createdAt, id)),
      )
    }
    return ordered()
      .where('created_at', '>=', createdAt)
      .where(({ eb }) =>
        eb('created_at', '>', createdAt).or(eb('created_at', '=', createdAt).and('id', '>', id)),
      )
  }

  return {
    async walk(token) {
      const query = token === null ? ordered() : behind(token)
      return cursorPage(await query.limit(pageSize + 1).execute(), times)
    },
    async list(category, page) {
      const [rows, { total }] = await Promise.all([
        ordered()
          .where('category', '=', category)
          .limit(pageSize)
          .offset((page - 1) * pageSize)
          .execute(),
        db
          .selectFrom('posts')
          .select(({ fn }) => fn.countAll().as('total'))
          .where('category', '=', category)
          .executeTakeFirstOrThrow(),
      ])
      return numberedPage(rows, Number(total), times)
    },
    tokenAfter: times.tokenAfter,
  }
}
