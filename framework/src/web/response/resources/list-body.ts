import type { Pagination } from '../../../data/repository/pagination/pagination.ts'

/** A page of a list. `pages` and `total` are null only where the list was told not to count. */
export interface PageBody<Row> {
  readonly items: readonly Row[]
  readonly page: number
  readonly pages: number | null
  readonly limit: number
  readonly total: number | null
}

/** A stretch of a walk through a list; `next` is null at its end. */
export interface CursorBody<Row> {
  readonly items: readonly Row[]
  readonly limit: number
  readonly next: string | null
}

/** What a list answers, in the mode the request chose. */
export type ListBody<Row> = PageBody<Row> | CursorBody<Row>

/** The body of a list whose pagination has its outcome. */
export function listBody<Row>(
  items: readonly Row[],
  { mode, page, pages, limit, total, next }: Pagination,
): ListBody<Row> {
  if (mode === 'cursor') return { items, limit, next }
  return { items, page: page ?? 1, pages, limit, total }
}
