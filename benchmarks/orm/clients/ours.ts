import { connect } from '../../../framework/dist/public/database.js'
import {
  bigint,
  entity,
  integer,
  key,
  Modes,
  Operators,
  Orders,
  Pagination,
  Repository,
  text,
  timestamp,
} from '../../../framework/dist/public/orm.js'
import type { Library } from '../library.ts'
import { pageSize } from '../posts.ts'

const Posts = entity('posts', {
  id: key.bigint(),
  category: integer(),
  title: text(),
  views: integer(),
  createdAt: timestamp(),
  authorId: bigint(),
})

/** Our repository, on whichever database the URL names. */
export async function open(url: string): Promise<Library> {
  const posts = new Repository(Posts, await connect(url))
  return {
    async walk(token) {
      const byTime = posts.select().order(Orders.Asc, 'createdAt')
      const inputs = token === null ? { mode: Modes.Cursor } : { cursor: token }
      const page = await posts.page(byTime, new Pagination({ ...inputs, limit: pageSize }))
      return { items: page.items, next: page.pagination.next }
    },
    async list(category, page) {
      const inCategory = posts
        .select()
        .filter('category', Operators.Equal, category)
        .order(Orders.Asc, 'createdAt')
      const { items, pagination } = await posts.page(
        inCategory,
        new Pagination({ page, limit: pageSize }),
      )
      return { items, total: pagination.total ?? NaN, pages: pagination.pages ?? NaN }
    },
    tokenAfter: ({ createdAt, id }) =>
      Pagination.encode([url.startsWith('postgres') ? `${createdAt}+00` : createdAt, id]),
  }
}
