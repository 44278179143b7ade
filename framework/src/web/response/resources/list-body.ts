import type { Pagination } from '../../../data/repository/pagination/pagination.ts'

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

/** Builds the body from a resolved pagination. */
export function listBody<Row>(
  items: readonly Row[],
  { mode, page, pages, limit, total, next }: Pagination,
): ListBody<Row> {
  if (mode === 'cursor') return { items, limit, next }
  return { items, page: page ?? 1, pages, limit, total }
}
