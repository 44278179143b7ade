import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { AnyEntity } from '../../orm/entity/entity.ts'
import type { Counts, Modes } from '../../orm/pagination/pagination.ts'
import type { OrderKind, Selection } from '../../orm/selection.ts'
import type { InputFields } from '../input/read-input.ts'
import type { Values } from '../request/query.ts'

/** How a list is read, besides its selection. */
export interface ListSettings {
  /** Its name in messages for developers: `items`. */
  readonly name: string
  /** The parameters that its links keep. */
  readonly parameters: ReadonlySet<string>
  readonly count: Counts | undefined
  readonly cap: number | undefined
  readonly nulls: boolean
  /** Whether it has pages, and not only cursors. */
  readonly paged: boolean
  /** For how many seconds links keep a total; 0 if they do not. */
  readonly remember: number
  /** The remembered total of the request; null without. */
  readonly total: string | null
}

/** What was read from a request, and what reads the filters and the rows. */
export interface ListQueryParts<E extends AnyEntity, out Values, Sort extends string, out Loaded> {
  readonly sort: Sort | null
  readonly fields: InputFields
  readonly place: ListRequest
  readonly settings: ListSettings
  /** Called late: a handler may be the first to know whose request it is. */
  filters(): { readonly values: Values; readonly timeZone: string }
  select(dialect: Dialect): Selection<E, Loaded, OrderKind>
}

/** What a request asks of a list: `request.input.query` of a route whose `query` is a list. */
export class ListQuery<
  E extends AnyEntity = AnyEntity,
  out Values = unknown,
  out Sort extends string = string,
  out Loaded = unknown,
> {
  /** The name of the order; null for a list without orders. */
  readonly sort: Sort | null
  readonly limit: number
  /** The number of the page; null by cursor. */
  readonly page: number | null
  /** The position to continue at, empty for the first; null by page. */
  readonly cursor: string | null
  /** The filters, the order and the limit as they were sent, to make a link of; lists as `name[]`. */
  readonly fields: InputFields
  readonly #parts: ListQueryParts<E, Values, Sort, Loaded>

  constructor(parts: ListQueryParts<E, Values, Sort, Loaded>) {
    const { sort, fields, place } = parts
    this.sort = sort
    this.limit = place.limit
    this.page = place.page
    this.cursor = place.cursor
    this.fields = fields
    this.#parts = parts
  }

  /** The values of the filters; null, or an empty list, for one that the request does not use. */
  get filters(): Values {
    return this.#parts.filters().values
  }

  /** The time zone of its days, and of times without an offset. */
  get timeZone(): string {
    return this.#parts.filters().timeZone
  }

  /** How the list is read; for `response.database.list`. */
  get settings(): ListSettings {
    return this.#parts.settings
  }

  /** The rows that it asks for, in its order; without a limit. */
  select(dialect: Dialect): Selection<E, Loaded, OrderKind> {
    return this.#parts.select(dialect)
  }
}

/** How many rows a request may ask for. */
export interface ListLimits {
  /** Maximum; larger limits are reduced to it. */
  readonly cap: number
  /** Number of rows if the request has no valid `limit`. */
  readonly limit: number
}

/** The limits of lists that have none of their own; `DatabaseResource.cap` and `.limit` set them. */
export const listDefaults: { -readonly [Name in keyof ListLimits]: number } = {
  cap: 100,
  limit: 10,
}

/** The pagination parameters of a request. An empty cursor starts at the beginning. */
export type ListRequest =
  | { readonly limit: number; readonly page: number; readonly cursor: null }
  | { readonly limit: number; readonly page: null; readonly cursor: string }

/**
 * Reads `page`, `limit` and `cursor`. A cursor, even an empty one, takes precedence over a page; a list in
 * cursor mode has no pages. Never throws: invalid numbers are ignored.
 */
export function readListRequest(
  query: Values,
  { cap, limit: defaultLimit }: ListLimits,
  mode: Modes = 'page',
): ListRequest {
  const limit = Math.min(cap, countIn(query['limit']) ?? defaultLimit)
  const cursor = query['cursor'] ?? (mode === 'cursor' ? '' : undefined)
  if (cursor !== undefined) return { limit, page: null, cursor }
  // Row numbers, including that of the row after the page, must stay safe integers.
  const last = Math.floor((Number.MAX_SAFE_INTEGER - 1) / limit)
  return { limit, page: Math.min(last, countIn(query['page']) ?? 1), cursor: null }
}

function countIn(text: string | undefined): number | null {
  const count = text !== undefined && /^\d+$/.test(text) ? Number(text) : 0
  return count >= 1 ? count : null
}
