import type { Modes, Pagination } from '../../orm/pagination/pagination.ts'
import { listBody } from './list-response.ts'
import type { ListLinks, ListBody } from './list-response.ts'

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

/** An entry of a navigation by page: a page, or a gap between two of them. */
export interface PageNumber {
  /** Null for a gap. */
  readonly page: number | null
  /** Path and query of the page; null for a gap. */
  readonly href: string | null
  /** Whether it is the page that is shown: `aria-current="page"`. */
  readonly current: boolean
  /** Its name for people who hear it, `Page 4`; `…` for a gap, which is for eyes only. */
  readonly label: string
}

/** Options of `pageNumbers`. */
export interface PageNumbersOptions {
  /** The page that is shown. */
  readonly page: number
  /** The number of the last page. */
  readonly pages: number
  /** Whether there may be more pages after the last. @default false */
  readonly open?: boolean
  /** Pages on each side of the shown one. @default 1 */
  readonly around?: number
  /** Path and query of a page. */
  readonly href: (page: number) => string
}

/**
 * The pages to link to: the first, the last and those around the shown one, `1 … 4 5 6 … 90`. A gap stands
 * for at least two pages. Empty if there is at most one page.
 */
export function pageNumbers(options: PageNumbersOptions): readonly PageNumber[] {
  const { page, pages, open = false, around = 1 } = options
  if (pages <= 1 && !open) return []
  const shown = shownPages(Math.min(page, pages), pages, around)
  const numbers: PageNumber[] = []
  let before = 0
  for (const number of shown) {
    if (number - before === 2) numbers.push(entry(number - 1, options))
    else if (number - before > 2) numbers.push(gap)
    numbers.push(entry(number, options))
    before = number
  }
  if (open) numbers.push(gap)
  return numbers
}

const gap: PageNumber = Object.freeze({ page: null, href: null, current: false, label: '…' })

function shownPages(page: number, pages: number, around: number): readonly number[] {
  const from = Math.max(1, page - around)
  const to = Math.min(pages, page + around)
  const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
  return [...new Set([1, ...near, pages])].filter((number) => number >= 1)
}

function entry(number: number, { page, href }: PageNumbersOptions): PageNumber {
  return { page: number, href: href(number), current: number === page, label: `Page ${number}` }
}
