import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { AnyEntity } from '../../orm/entity/entity.ts'
import type { Counts } from '../../orm/pagination/pagination.ts'
import type { OrderKind, Selection } from '../../orm/selection.ts'
import type { InputFields } from '../input/read-input.ts'
import type { ListRequest } from './list-request.ts'

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
}

/** What was read from a request. */
export interface ListQueryParts<Values, Sort extends string> {
  readonly filters: Values
  readonly sort: Sort | null
  readonly fields: InputFields
  /** The remembered total; null without. */
  readonly total: string | null
}

/** What reads the rows of a query. */
export interface ListQuerySource<E extends AnyEntity, out Loaded> {
  readonly settings: ListSettings
  select(dialect: Dialect): Selection<E, Loaded, OrderKind>
}

/** What a request asks of a list: `request.input.query` of a route whose `query` is a list. */
export class ListQuery<
  E extends AnyEntity = AnyEntity,
  out Values = unknown,
  out Sort extends string = string,
  out Loaded = unknown,
> {
  /** The values of the filters; null, or an empty list, for one that the request does not use. */
  readonly filters: Values
  /** The name of the order; null for a list without orders. */
  readonly sort: Sort | null
  readonly limit: number
  /** The number of the page; null by cursor. */
  readonly page: number | null
  /** The position to continue at, empty for the first; null by page. */
  readonly cursor: string | null
  /** The filters, the order and the limit as they were sent, to make a link of; lists as `name[]`. */
  readonly fields: InputFields
  readonly #total: string | null
  readonly #source: ListQuerySource<E, Loaded>

  constructor(
    { filters, sort, fields, total }: ListQueryParts<Values, Sort>,
    { limit, page, cursor }: ListRequest,
    source: ListQuerySource<E, Loaded>,
  ) {
    this.filters = filters
    this.sort = sort
    this.limit = limit
    this.page = page
    this.cursor = cursor
    this.fields = fields
    this.#total = total
    this.#source = source
  }

  /** How the list is read; for `response.database.list`. */
  get settings(): ListSettings & { readonly total: string | null } {
    return { ...this.#source.settings, total: this.#total }
  }

  /** The rows that it asks for, in its order; without a limit. */
  select(dialect: Dialect): Selection<E, Loaded, OrderKind> {
    return this.#source.select(dialect)
  }
}
