import { english } from '../../i18n/english.ts'
import type { Translate } from '../../i18n/languages.ts'
import type { Modes, Pagination } from '../../orm/pagination/pagination.ts'
import { queryPairs } from '../request/query.ts'

/** The links of a page of a list. */
export class ListPageLinks implements ListLinks {
  readonly next: string | null
  readonly prev: string | null
  /** The first page by number; null for a list without pages. */
  readonly byPage: string | null
  /** The first page by cursor. */
  readonly byCursor: string
  readonly #numbers: () => readonly PageNumber[]

  constructor(
    { next, prev, byPage, byCursor }: Pick<ListPageLinks, 'next' | 'prev' | 'byPage' | 'byCursor'>,
    numbers: () => readonly PageNumber[],
  ) {
    this.next = next
    this.prev = prev
    this.byPage = byPage
    this.byCursor = byCursor
    this.#numbers = numbers
  }

  /** The pages to link to; empty by cursor and without a total. Made when asked for: the body of a list has none. */
  get numbers(): readonly PageNumber[] {
    return this.#numbers()
  }

  toJSON(): object {
    const { next, prev, byPage, byCursor, numbers } = this
    return { next, prev, byPage, byCursor, numbers }
  }
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
type ListOutcome = Pick<Pagination, 'mode' | 'page' | 'pages' | 'limit' | 'total' | 'next'>

/** Builds the body from a resolved pagination. */
export function listBody<Row>(
  items: readonly Row[],
  { mode, page, pages, limit, total, next }: ListOutcome,
): ListBody<Row> {
  if (mode === 'cursor') return { items, limit, next }
  return { items, page: page ?? 1, pages, limit, total }
}

/** Path and query of the neighbouring pages of a list; null where there is none. */
export interface ListLinks {
  readonly next: string | null
  readonly prev: string | null
}

/**
 * The links of a list, from its resolved pagination. A cursor has only a next link; a page beyond the
 * end has the last page as its previous one.
 */
export function listLinks(
  pagination: Pagination,
  targetOf: (position: PagePosition) => string,
): ListLinks {
  const { mode, more, next } = pagination
  if (mode === 'cursor') {
    return { next: next === null ? null : targetOf({ cursor: next }), prev: null }
  }
  const page = pagination.page ?? 1
  const { pages, approximate } = pagination
  // An approximate total does not tell which page is the last.
  const before = pages === null || approximate ? page - 1 : Math.min(page - 1, pages)
  return {
    next: more ? targetOf({ page: page + 1 }) : null,
    prev: before >= 1 ? targetOf({ page: before }) : null,
  }
}

/** The value of a `Link` header, next before prev; null if there are no links. */
export function linkHeader({ next, prev }: ListLinks): string | null {
  const links: string[] = []
  if (next !== null) links.push(`<${next}>; rel="next"`)
  if (prev !== null) links.push(`<${prev}>; rel="prev"`)
  return links.length === 0 ? null : links.join(', ')
}

/** A page of a list, by its number or by the cursor it follows. */
type PagePosition = { readonly page: number } | { readonly cursor: string }

/**
 * Returns a function that makes path and query of other pages of the list at `URI`. Its parameters keep their
 * order and spelling; `limit` becomes the effective one, in its place or after the others, and `page` or `cursor`
 * is last. `total` is one to hand on, null for none; if it is not given, `total` is a parameter like others. With
 * `names`, other parameters are left out; `tag[]` is the parameter `tag`.
 */
export function pageTargets(
  URI: string,
  limit: number,
  { total, names }: { readonly total?: string | null; readonly names?: ReadonlySet<string> } = {},
): (position: PagePosition) => string {
  const mark = URI.indexOf('?')
  const path = mark === -1 ? URI : URI.slice(0, mark)
  const pairs: string[] = []
  let limited = false
  for (const pair of mark === -1 ? [] : pairsOf(URI.slice(mark + 1))) {
    const name = nameOf(pair)
    if (name === 'page' || name === 'cursor') continue
    if (name === 'total' && total !== undefined) continue
    if (names?.has(name.replace(/\[\]$/, '')) === false) continue
    if (name !== 'limit') pairs.push(encodeUnsafe(pair))
    else if (!limited) pairs.push(`limit=${limit}`)
    limited ||= name === 'limit'
  }
  if (!limited) pairs.push(`limit=${limit}`)
  if (total) pairs.push(`total=${encodeURIComponent(total)}`)
  const encoded = encodeUnsafe(path)
  // A target that begins with two slashes would name another host.
  const start = `${encoded.startsWith('//') ? `/.${encoded}` : encoded}?${pairs.join('&')}`
  return (position) =>
    'page' in position
      ? `${start}&page=${position.page}`
      : `${start}&cursor=${encodeURIComponent(position.cursor)}`
}

// Like `URLSearchParams`, ignores one leading question mark.
function pairsOf(query: string): string[] {
  return query
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '')
}

function nameOf(pair: string): string {
  const [[name] = ['', '']] = queryPairs(`&${pair}`)
  return name
}

// The target is sent between < and > in a header: nothing in it may end the target or the header.
function encodeUnsafe(part: string): string {
  if (/^[\w\-.~!$&'()*+,;=:@/?]*$/.test(part)) return part
  return part
    .toWellFormed()
    .replaceAll(/%(?![\dA-Fa-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]+/g, encodeURIComponent)
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
  /** Writes the names of pages in a language. @default in English */
  readonly t?: Translate
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

function entry(number: number, options: PageNumbersOptions): PageNumber {
  const { page, href, t = english() } = options
  const label = t('Page {page}', { page: number })
  return { page: number, href: href(number), current: number === page, label }
}
