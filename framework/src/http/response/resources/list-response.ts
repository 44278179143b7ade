import type { Pagination } from '../../../orm/pagination/pagination.ts'
import { pageTarget } from '../link.ts'
import type { ListLinks } from '../link.ts'

/** The body of a page. `pages` and `total` are null only if the list is not counted. */
export interface PageBody<Row> {
  readonly items: readonly Row[]
  readonly page: number
  readonly pages: number | null
  readonly limit: number
  readonly total: number | null
}

/** The body in cursor mode; `next` is null at the end of the list. */
export interface CursorBody<Row> {
  readonly items: readonly Row[]
  readonly limit: number
  readonly next: string | null
}

/** The body of a list, in the mode chosen by the request. */
export type ListBody<Row> = PageBody<Row> | CursorBody<Row>

/** What the body of a list has of its pagination. */
export type ListOutcome = Pick<Pagination, 'mode' | 'page' | 'pages' | 'limit' | 'total' | 'next'>

/** Builds the body from a resolved pagination. */
export function listBody<Row>(
  items: readonly Row[],
  { mode, page, pages, limit, total, next }: ListOutcome,
): ListBody<Row> {
  if (mode === 'cursor') return { items, limit, next }
  return { items, page: page ?? 1, pages, limit, total }
}

/**
 * The links of a list, from its resolved pagination. A cursor has only a next link; a page beyond the
 * end has the last page as its previous one.
 */
export function listLinks(URI: string, pagination: Pagination, total?: string | null): ListLinks {
  const { mode, limit, more, next } = pagination
  if (mode === 'cursor') {
    const target = next === null ? null : pageTarget(URI, limit, { cursor: next, total })
    return { next: target, prev: null }
  }
  const page = pagination.page ?? 1
  const before = pageBefore(page, pagination)
  return {
    next: more ? pageTarget(URI, limit, { page: page + 1, total }) : null,
    prev: before >= 1 ? pageTarget(URI, limit, { page: before, total }) : null,
  }
}

// An approximate total does not tell which page is the last.
function pageBefore(page: number, { pages, approximate }: Pagination): number {
  return pages === null || approximate ? page - 1 : Math.min(page - 1, pages)
}
