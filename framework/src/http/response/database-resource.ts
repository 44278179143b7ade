import type { KeyObject } from 'node:crypto'
import {
  FrameworkError,
  InvalidArgumentException,
  RefusedInput,
  invalidArgument,
} from '../../base/errors.ts'
import { lateModule } from '../../base/late-module.ts'
import type { Translate } from '../../i18n/languages.ts'
import type { ApplicationKey } from '../../settings/application-key.ts'
import type { Surface } from '../../database/surface.ts'
import type { AnyEntity } from '../../orm/entity/entity.ts'
import type { RowOf, SelectedRow } from '../../orm/entity/row.ts'
import type { Modes, PaginationSettings } from '../../orm/pagination/pagination.ts'
import type { OrderKind, Selection } from '../../orm/selection.ts'
import { InvalidQuery } from '../errors/invalid-input.ts'
import type { ListQuery, ListLimits } from '../lists/list-query.ts'
import type * as ListQueries from '../lists/list-query.ts'
import type * as ListPages from '../lists/list-page.ts'
import type { ListPage, ListLinks, CursorBody, ListBody } from '../lists/list-page.ts'
import type { ListReadOptions, ListSource } from '../lists/read-list.ts'
import type * as ReadList from '../lists/read-list.ts'
import type { Values } from '../request/query.ts'

/** The parts of a response that the resource uses. */
interface ListedResponse {
  readonly request: ListedRequest | null
  readonly headers: {
    set(name: string, value: string): void
    append(name: string, value: string): void
  }
}

/** The parts of a request that the resource uses. */
interface ListedRequest {
  readonly URI: string
  readonly t: Translate
  readonly query: Values
}

/** Options of `Resources.Database`. */
export interface DatabaseResourceOptions extends Partial<ListLimits> {
  /**
   * The result of `applicationKey`. It signs the cursors and totals of lists by declaration; what former
   * keys signed stays valid.
   */
  readonly key?: Pick<ApplicationKey, 'deriveAll'>
  /** Settings for counting rows and signing cursors. */
  readonly pagination?: Omit<PaginationSettings, 'limit' | 'backward'>
}

/** Options of one list. */
export interface ListOptions<M extends Modes = Modes> {
  /**
   * `cursor` for a list without pages: `?page=` is ignored, and the first rows need no cursor.
   * @default 'page', unless the request has a cursor
   */
  readonly mode?: M
}

const noLinks: ListLinks = { next: null, prev: null }

// Not every server has lists.
const loadQueries = lateModule<typeof ListQueries>(import.meta, '../lists/list-query')
const loadResponses = lateModule<typeof ListPages>(import.meta, '../lists/list-page')
const loadLists = lateModule<typeof ReadList>(import.meta, '../lists/read-list')

/**
 * Paginated lists over HTTP: reads `page`, `limit` and `cursor` from the request, returns the rows and
 * sets the pagination headers. `response.database` is one, bound to its response.
 */
export class DatabaseResource {
  readonly #surface: Surface | null
  readonly #options: DatabaseResourceOptions
  #keys: () => readonly KeyObject[] | null
  #response: ListedResponse | null = null
  #links = noLinks

  /**
   * With a database or transaction it lists entities and repositories; without one, only repositories.
   * @throws InvalidArgumentException for a cap or limit below 1.
   */
  constructor(surface: Surface | null = null, options: DatabaseResourceOptions = {}) {
    if (options.cap !== undefined) checkRows('cap', options.cap)
    if (options.limit !== undefined) checkRows('limit', options.limit)
    this.#surface = surface
    this.#options = options
    this.#keys = listKeys(options)
  }

  /** Maximum number of rows per request, for resources without their own `cap`. @default 100 */
  static get cap(): number {
    return loadQueries().listDefaults.cap
  }

  static set cap(rows: number) {
    loadQueries().listDefaults.cap = checkRows('cap', rows)
  }

  /**
   * Number of rows if the request has no valid `limit`, for resources without their own.
   * @default 10
   */
  static get limit(): number {
    return loadQueries().listDefaults.limit
  }

  static set limit(rows: number) {
    loadQueries().listDefaults.limit = checkRows('limit', rows)
  }

  /** How many rows a request gets, and may ask for. */
  get limits(): ListLimits {
    const { listDefaults: defaults } = loadQueries()
    const { cap = defaults.cap, limit = defaults.limit } = this.#options
    return { cap, limit }
  }

  /** Returns a copy bound to one response, so that requests share no state. */
  bind(response: ListedResponse): DatabaseResource {
    const bound = new DatabaseResource(this.#surface, this.#options)
    bound.#keys = this.#keys
    bound.#response = response
    return bound
  }

  /** Links of the last call of `paginate` or `list`. */
  get links(): ListLinks {
    return this.#links
  }

  /**
   * The requested rows, as a body for `response.negotiation.send(…)`. Sets `Link`, and in page mode
   * `X-Total-Count`. With `{ mode: 'cursor' }` the list has no pages, whatever the request asks for.
   * @throws InvalidArgumentException for a malformed cursor, or a cursor for a list whose order does
   *   not support one, before any query; a 400 unless caught.
   * @throws FrameworkError (E_RESOURCE) without a response, or for an entity without a database.
   */
  paginate<E extends AnyEntity, Loaded = unknown, Columns = RowOf<E>>(
    source: E | ListSource<E>,
    selection: Selection<E, Loaded, 'exact', Columns> | null,
    options: ListOptions<'cursor'>,
  ): Promise<CursorBody<SelectedRow<Loaded, Columns>>>
  paginate<E extends AnyEntity, Loaded = unknown, Columns = RowOf<E>>(
    source: E | ListSource<E>,
    selection?: Selection<E, Loaded, OrderKind, Columns> | null,
    options?: ListOptions<'page'>,
  ): Promise<ListBody<SelectedRow<Loaded, Columns>>>
  async paginate<E extends AnyEntity, Loaded = unknown, Columns = RowOf<E>>(
    source: E | ListSource<E>,
    selection: Selection<E, Loaded, OrderKind, Columns> | null = null,
    { mode = 'page' }: ListOptions = {},
  ): Promise<ListBody<SelectedRow<Loaded, Columns>>> {
    const { request, headers } = this.#bound()
    const { listBody, listLinks, pageTargets } = loadResponses()
    const { pagination: settings = {} } = this.#options
    const wanted = loadQueries().readListRequest(request.query, this.limits, mode)
    const { listRows, sourceOf } = loadLists()
    const from = sourceOf(source, this.#surface)
    const { items, pagination } = await listRows(from, selection, wanted, settings).catch(
      refuseCursor,
    )
    this.#links = listLinks(pagination, pageTargets(request.URI, pagination.limit))
    this.#setHeaders(headers, { total: pagination.total, links: this.#links })
    return listBody(items, pagination)
  }

  /**
   * A page of a list by declaration: the rows that the query asks for. Sets `Link`, and `X-Total-Count` if
   * there is a total. Return it for JSON, or pass it to `response.negotiation.send(page, { view })`.
   * @throws InvalidArgumentException for an invalid cursor, before any query; a 400 unless caught.
   * @throws FrameworkError (E_RESOURCE) without a response, or for an entity without a database.
   */
  async list<E extends AnyEntity, Loaded>(
    source: NoInfer<E> | ListSource<NoInfer<E>>,
    query: ListQuery<E, unknown, string, Loaded>,
    options: ListReadOptions<NoInfer<E>> = {},
  ): Promise<ListPage<SelectedRow<Loaded, RowOf<E>>>> {
    const { request, headers } = this.#bound()
    const { readList, sourceOf } = loadLists()
    const from = sourceOf<E>(source, this.#surface)
    const context = { URI: request.URI, keys: this.#keys(), translate: () => request.t }
    const page = await readList(from, query, options, context).catch(refuseListed)
    this.#links = page.links
    this.#setHeaders(headers, page)
    return page
  }

  #setHeaders(
    headers: ListedResponse['headers'],
    { total, links }: { readonly total: number | null; readonly links: ListLinks },
  ): void {
    const link = loadResponses().linkHeader(links)
    if (total !== null) headers.set('X-Total-Count', String(total))
    if (link !== null) headers.append('Link', link)
  }

  #bound(): { readonly request: ListedRequest; readonly headers: ListedResponse['headers'] } {
    const { request = null, headers = null } = this.#response ?? {}
    if (request !== null && headers !== null) return { request, headers }
    throw new FrameworkError(
      'E_RESOURCE',
      'this database resource is not bound to a request; use response.database or resource.bind(response)',
    )
  }
}

/** The resources of a server; each response gets bound copies of them. */
export interface ResponseResources {
  /** Null leaves `response.database` without a database: it then lists repositories only. */
  readonly database: DatabaseResource | null
}

/** @throws InvalidArgumentException for anything but a `Resources.Database`. */
export function completeResources({
  database = null,
}: Partial<ResponseResources>): ResponseResources {
  if (database === null || database instanceof DatabaseResource) return { database }
  throw invalidArgument('resources: "database" must be a new Resources.Database(database)')
}

// Only the cursor comes from the client; any other error is a bug of the program.
function refuseCursor(error: unknown): never {
  if (!(error instanceof InvalidArgumentException)) throw error
  const { code } = error
  if (code === 'E_CURSOR') throw new RefusedInput(code, error.message, { cause: error })
  if (code !== 'E_CURSOR_ORDER') throw error
  // The original message names columns, which are internal.
  const message = 'this list does not support a cursor; request it by page'
  throw new RefusedInput(code, message, { cause: error })
}

// The same errors as for `paginate`, with the document that the client gets unless the route catches them.
function refuseListed(error: unknown): never {
  try {
    return refuseCursor(error)
  } catch (refused) {
    if (!(refused instanceof RefusedInput) || refused.cause instanceof InvalidQuery) throw refused
    const { code, message } = refused
    const cause = new InvalidQuery([{ path: ['cursor'], message }], 'query')
    throw new RefusedInput(code, message, { cause })
  }
}

// Derived once, when the first list asks for them.
function listKeys({ key, pagination }: DatabaseResourceOptions): () => readonly KeyObject[] | null {
  let keys: readonly KeyObject[] | null = null
  return () => {
    keys ??= key?.deriveAll('lists') ?? ([pagination?.signed ?? []].flat() satisfies KeyObject[])
    return keys.length === 0 ? null : keys
  }
}

function checkRows(name: string, rows: number): number {
  if (Number.isSafeInteger(rows) && rows >= 1) return rows
  throw invalidArgument(
    `${name} of a database resource must be a whole number, at least 1, got ${rows}`,
  )
}
