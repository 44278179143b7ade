import type { Pagination } from '../../../data/repository/pagination/pagination.ts'
import { pageTarget } from '../link.ts'
import type { ListLinks } from '../link.ts'

/**
 * The links of a list, from its resolved pagination. A cursor has only a next link; a page beyond the
 * end has the last page as its previous one.
 */
export function listLinks(URI: string, pagination: Pagination): ListLinks {
  const { mode, limit, more, next } = pagination
  if (mode === 'cursor') {
    return { next: next === null ? null : pageTarget(URI, limit, { cursor: next }), prev: null }
  }
  const page = pagination.page ?? 1
  const before = pageBefore(page, pagination)
  return {
    next: more ? pageTarget(URI, limit, { page: page + 1 }) : null,
    prev: before >= 1 ? pageTarget(URI, limit, { page: before }) : null,
  }
}

// An approximate total does not tell which page is the last.
function pageBefore(page: number, { pages, approximate }: Pagination): number {
  return pages === null || approximate ? page - 1 : Math.min(page - 1, pages)
}
