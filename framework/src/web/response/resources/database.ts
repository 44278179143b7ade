import { FrameworkError, InvalidArgumentException } from '../../../base/errors.ts'
import type { Surface } from '../../../data/database/surface.ts'
import type { AnyEntity } from '../../../data/repository/entity/entity.ts'
import type { PaginationSettings } from '../../../data/repository/pagination/pagination-inputs.ts'
import type { LoadedRow } from '../../../data/repository/entity/row.ts'
import type { OrderKind, Selection } from '../../../data/repository/selection.ts'
import type { Values } from '../../request/query.ts'
import { RefusedInput } from '../../errors/refused-input.ts'
import { linkHeader } from '../link.ts'
import type { ListLinks } from '../link.ts'
import { listBody } from './list-body.ts'
import type { ListBody } from './list-body.ts'
import { listLinks } from './list-links.ts'
import { readListRequest } from './list-request.ts'
import type { ListLimits } from './list-request.ts'
import type { ListSource } from './list-source.ts'

/** What the resource needs of the response it is bound to. */
export interface ListedResponse {
  readonly request: ListedRequest | null
  readonly headers: {
    set(name: string, value: string): void
    append(name: string, value: string): void
  }
}

/** What it needs of the request. */
export interface ListedRequest {
  readonly URI: string
  readonly query: Values
}

/** How lists are made. */
export interface DatabaseResourceOptions extends Partial<ListLimits> {
  /** How rows are counted and cursors signed. */
  readonly pagination?: Omit<PaginationSettings, 'limit' | 'backward'>
}

const nowhere: ListLinks = { next: null, prev: null }
const defaults = { cap: 100, limit: 10 }

/**
 * Lists of rows over HTTP: reads `page`, `limit` and `cursor` of a request, gives the rows and sets
 * the headers that lead on. `response.database` is one, bound to that response alone.
 */
export class DatabaseResource {
  readonly #surface: Surface | null
  readonly #options: DatabaseResourceOptions
  #response: ListedResponse | null = null
  #links = nowhere

  /**
   * On a database, or a transaction, it lists entities too; without one only repositories.
   * @throws InvalidArgumentException for a cap or limit below 1.
   */
  constructor(surface: Surface | null = null, options: DatabaseResourceOptions = {}) {
    if (options.cap !== undefined) checkRows('cap', options.cap)
    if (options.limit !== undefined) checkRows('limit', options.limit)
    this.#surface = surface
    this.#options = options
  }

  /** Most rows a request may ask for, of a resource that was told nothing else: 100. */
  static get cap(): number {
    return defaults.cap
  }

  static set cap(rows: number) {
    defaults.cap = checkRows('cap', rows)
  }

  /** Rows of a request that names no number, of a resource that was told nothing else: 10. */
  static get limit(): number {
    return defaults.limit
  }

  static set limit(rows: number) {
    defaults.limit = checkRows('limit', rows)
  }

  /** The same resource for one response. This one stays as it is: two requests share nothing. */
  bind(response: ListedResponse): DatabaseResource {
    const bound = new DatabaseResource(this.#surface, this.#options)
    bound.#response = response
    return bound
  }

  /** Where the list that was paginated last goes on. */
  get links(): ListLinks {
    return this.#links
  }

  /**
   * The rows the request asks for, as a body for `response.negotiation.send(…)`. Sets `Link`, and in
   * page mode `X-Total-Count`.
   * @throws InvalidArgumentException for a malformed cursor, or one asked of a list whose order has
   *   none, before any query; a 400 unless caught.
   * @throws FrameworkError (E_RESOURCE) without a response, or for an entity without a database.
   */
  async paginate<E extends AnyEntity, Loaded extends string = never>(
    source: E | ListSource<E>,
    selection: Selection<E, Loaded, OrderKind> | null = null,
  ): Promise<ListBody<LoadedRow<E, Loaded>>> {
    const { request, headers } = this.#bound()
    const { cap = defaults.cap, limit = defaults.limit, pagination: settings = {} } = this.#options
    const asked = readListRequest(request.query, { cap, limit })
    // The ORM is loaded by those who list something, not by every server.
    const { listRows, sourceOf } = await import('./list-rows.ts')
    const from = sourceOf(source, this.#surface)
    const { items, pagination } = await listRows(from, selection, asked, settings).catch(refuse)
    this.#links = listLinks(request.URI, pagination)
    const link = linkHeader(this.#links)
    if (pagination.total !== null) headers.set('X-Total-Count', String(pagination.total))
    if (link !== null) headers.append('Link', link)
    return listBody(items, pagination)
  }

  #bound(): { readonly request: ListedRequest; readonly headers: ListedResponse['headers'] } {
    const { request = null, headers = null } = this.#response ?? {}
    if (request !== null && headers !== null) return { request, headers }
    throw new FrameworkError(
      'E_RESOURCE',
      'this database resource is bound to no request; use response.database, or resource.bind(response)',
    )
  }
}

// Only the cursor comes from the client; everything else that is wrong is a mistake of the program.
function refuse(error: unknown): never {
  if (!(error instanceof InvalidArgumentException)) throw error
  const { code } = error
  if (code === 'E_CURSOR') throw new RefusedInput(code, error.message, { cause: error })
  if (code !== 'E_CURSOR_ORDER') throw error
  // Which columns stand in the way is nothing the client could mend, and not for it to know.
  const message = 'this list is read by page and has no cursor; ask for it without one'
  throw new RefusedInput(code, message, { cause: error })
}

function checkRows(name: string, rows: number): number {
  if (Number.isSafeInteger(rows) && rows >= 1) return rows
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} of a database resource is a whole number of 1 or more, got ${rows}`,
  )
}
