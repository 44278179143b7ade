import type { Modes, Pagination } from '../../orm/pagination/pagination.ts'
import type { ListLinks } from '../response/link.ts'
import { listBody } from '../response/resources/list-response.ts'
import type { ListBody } from '../response/resources/list-response.ts'
import type { PageNumber } from './page-numbers.ts'

/** The links of a page of a list. */
export interface ListPageLinks extends ListLinks {
  /** The pages to link to; empty by cursor and without a total. */
  readonly numbers: readonly PageNumber[]
  /** The first page by number; null for a list without pages. */
  readonly byPage: string | null
  /** The first page by cursor. */
  readonly byCursor: string
}

/**
 * A page of a list. As JSON it is the body that `response.database.paginate` returns; a view gets its
 * properties.
 */
export class ListPage<out Row> implements Iterable<Row> {
  readonly items: readonly Row[]
  readonly mode: Modes
  readonly limit: number
  /** Null by cursor. */
  readonly page: number | null
  /** Null if the list is not counted. */
  readonly pages: number | null
  readonly total: number | null
  /** Whether `total` is a cap that was reached, or an estimate. */
  readonly approximate: boolean
  /** The cursor of the next page; null at the end, and by page. */
  readonly next: string | null
  readonly links: ListPageLinks

  constructor(items: readonly Row[], pagination: Pagination, links: ListPageLinks) {
    this.items = items
    this.mode = pagination.mode
    this.limit = pagination.limit
    this.page = pagination.mode === 'page' ? (pagination.page ?? 1) : null
    this.pages = pagination.pages
    this.total = pagination.total
    this.approximate = pagination.approximate
    this.next = pagination.next
    this.links = links
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.items[Symbol.iterator]()
  }

  /** The body of the response; by cursor with a `total` only if the list is counted beside it. */
  toJSON(): ListBody<Row> {
    const body = listBody(this.items, this)
    const { mode, total } = this
    return mode === 'cursor' && total !== null ? { ...body, total } : body
  }
}
