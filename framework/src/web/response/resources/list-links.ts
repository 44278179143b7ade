import type { Pagination } from '../../../data/repository/pagination/pagination.ts'
import { stretchTarget } from '../link.ts'
import type { ListLinks } from '../link.ts'

/**
 * Where a list goes on, once its pagination has its outcome. A cursor leads on only; a page leads
 * back too, from beyond the end to the last page there is.
 */
export function listLinks(URI: string, pagination: Pagination): ListLinks {
  const { mode, limit, more, next } = pagination
  if (mode === 'cursor') {
    return { next: next === null ? null : stretchTarget(URI, limit, { cursor: next }), prev: null }
  }
  const page = pagination.page ?? 1
  const before = pageBefore(page, pagination)
  return {
    next: more ? stretchTarget(URI, limit, { page: page + 1 }) : null,
    prev: before >= 1 ? stretchTarget(URI, limit, { page: before }) : null,
  }
}

// A total that is only about right does not tell which page is the last.
function pageBefore(page: number, { pages, approximate }: Pagination): number {
  return pages === null || approximate ? page - 1 : Math.min(page - 1, pages)
}
