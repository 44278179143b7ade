import { KeyObject } from 'node:crypto'
import { invalidArgument, InvalidArgumentException } from '../../base/errors.ts'
import type { Refused } from '../entity/entity.ts'
import { decodeCursor, encodeCursor, malformed } from './cursor.ts'
import type { CursorValue } from './cursor.ts'

/**
 * How a pagination moves through the rows. `Page` reads a numbered page and counts all rows;
 * `Cursor` continues after the last row and counts nothing.
 */
export const Modes = { Page: 'page', Cursor: 'cursor' } as const
Object.freeze(Modes)
export type Modes = (typeof Modes)[keyof typeof Modes]

/** How page mode determines the total. */
export const Counts = {
  /** One `COUNT(*)` over all selected rows. */
  Exact: 'exact',
  /** Counts up to a cap. */
  Capped: 'capped',
  /** The estimate of the query planner; an exact count on databases that give none. */
  Estimate: 'estimate',
  /** No count: one extra row is read instead, to know whether there are more. */
  None: 'none',
} as const
Object.freeze(Counts)
export type Counts = (typeof Counts)[keyof typeof Counts]

/** Options of a pagination, besides its position. Each applies to one mode only. */
export interface PaginationSettings {
  /** Rows per page, at least 1. @default 10 */
  readonly limit?: number | undefined
  /**
   * How the total is determined. In cursor mode only `capped` and `estimate` count; anything else does
   * not. @default 'exact'
   */
  readonly count?: Counts | undefined
  /** Where a capped count stops. @default 10000 */
  readonly cap?: number | undefined
  /** The number of rows of the whole selection, if it is known: nothing is counted then. */
  readonly total?: number | undefined
  /**
   * Page mode: when more rows than this are skipped, they are skipped by key alone. This makes deep
   * pages of wide rows faster.
   */
  readonly deferred?: number | undefined
  /**
   * Cursor mode: a secret key of at least 32 bytes that signs cursors with their order and filters. Of
   * several keys the first one signs, and all of them verify.
   */
  readonly signed?: KeyObject | readonly KeyObject[] | undefined
  /** Cursor mode: what else the signature covers; another text invalidates the cursor. */
  readonly boundTo?: string | undefined
  /**
   * Cursor mode: whether the order may have nullable columns. Their rows without a value come last,
   * or first with `Nulls.First`, on every database. @default false
   */
  readonly nulls?: boolean | undefined
  /** Cursor mode: also return `previous`, the cursor for `before`. */
  readonly backward?: boolean | undefined
}

/** Inputs that select page mode. */
export interface PageInputs extends PaginationSettings {
  readonly page?: number | null | undefined
  readonly cursor?: null | undefined
  readonly before?: null | undefined
  readonly mode?: 'page' | null | undefined
}

/** Inputs that select cursor mode: a cursor, one to walk back from, or the mode to start a walk. */
export type CursorInputs = PaginationSettings & { readonly page?: null | undefined } & (
    | {
        readonly cursor: string
        readonly before?: null | undefined
        readonly mode?: 'cursor' | null
      }
    | {
        readonly before: string
        readonly cursor?: null | undefined
        readonly mode?: 'cursor' | null
      }
    | {
        readonly mode: 'cursor'
        readonly cursor?: null | undefined
        readonly before?: null | undefined
      }
  )

/** Inputs of either mode, as they come from a request. */
export interface PaginationInputs extends PaginationSettings {
  /** Page number, at least 1. */
  readonly page?: number | null | undefined
  /** Select the rows after this position: the `next` of another page. */
  readonly cursor?: string | null | undefined
  /** Select the rows before this position: the `previous` of another page. */
  readonly before?: string | null | undefined
  readonly mode?: Modes | null | undefined
}

/** The outcome of a pagination. */
export interface PaginationOutcome {
  /** Number of rows in the whole selection; in cursor mode only if it is known or counted. */
  readonly total: number | null
  /** Number of pages in the whole selection, 0 if it is empty; page mode. */
  readonly pages: number | null
  /** Whether there are more rows in the direction of the walk. */
  readonly more: boolean
  /** The cursor of the page after this one; cursor mode. */
  readonly next: string | null
  /** The cursor, for `before`, of the page before this one; cursor mode with `backward`. */
  readonly previous: string | null
  /** Whether `total` and `pages` are an estimate, or a cap that was reached. */
  readonly approximate: boolean
}

/** Which rows of a selection are wanted and, once they have arrived, the outcome. */
export interface Pagination<out M extends Modes = Modes> extends CompleteInputs, PaginationOutcome {
  readonly mode: M
  /**
   * The values of its cursor, strictly checked.
   * @throws InvalidArgumentException unless it contains exactly `arity` values.
   */
  decode(arity: number): readonly CursorValue[]
  /** Sets the outcome; what is not given is reset. */
  resolve(outcome?: Partial<PaginationOutcome>): this
}

// Which position is wanted may only be known at run time, but there is one.
type OnePosition<Inputs> = Inputs extends
  | { readonly page: number; readonly cursor: string }
  | { readonly page: number; readonly before: string }
  | { readonly cursor: string; readonly before: string }
  ? Refused<'page, cursor and before exclude each other; choose one'>
  : { readonly [Name in Exclude<keyof Inputs, keyof PaginationInputs>]: never }

/** Creates paginations; the inputs determine the mode, also in the type. */
export interface PaginationConstructor {
  readonly prototype: Pagination
  /** With `nulls` every order is possible, as in page mode. */
  new (inputs: CursorInputs & { readonly nulls: true }): Pagination
  new (inputs: CursorInputs): Pagination<'cursor'>
  new (inputs?: PageInputs): Pagination<'page'>
  /** @throws InvalidArgumentException when inputs are invalid or contradict each other. */
  new <Inputs extends PaginationInputs>(inputs: Inputs & OnePosition<Inputs>): Pagination
  /**
   * Encodes the values of a position, order columns first and the key last, as an opaque token.
   * @throws InvalidArgumentException for null and anything else that is not a text, number or
   * boolean.
   */
  encode(values: readonly unknown[]): string
}

/**
 * `new Pagination({ limit: 20, page: 3 })`, `new Pagination({ cursor })`, `new Pagination({ mode:
 * Modes.Cursor })`.
 */
export const Pagination: PaginationConstructor = class<M extends Modes> {
  // Assigned by `Object.assign`: only the type of the inputs knows which mode `M` is.
  declare readonly mode: M
  declare readonly limit: number
  declare readonly page: number | null
  declare readonly cursor: string | null
  declare readonly before: string | null
  declare readonly backward: boolean
  declare readonly nulls: boolean
  declare readonly count: CompleteInputs['count']
  declare readonly cap: number
  declare readonly knownTotal: number | null
  declare readonly deferred: number | null
  declare readonly signed: CompleteInputs['signed']
  declare readonly formerKeys: CompleteInputs['formerKeys']
  declare readonly boundTo: string
  total: number | null = null
  pages: number | null = null
  more = false
  next: string | null = null
  previous: string | null = null
  approximate = false

  constructor(inputs: PaginationInputs = {}) {
    Object.assign(this, completeInputs(inputs))
  }

  static encode(values: readonly unknown[]): string {
    return encodeCursor(values)
  }

  decode(arity: number): readonly CursorValue[] {
    if (!Number.isSafeInteger(arity) || arity < 1) {
      throw invalidArgument('decode needs an arity of at least 1')
    }
    const token = this.cursor ?? this.before
    if (token === null) throw malformed('none was given')
    if (this.signed === null) return decodeCursor(token, arity)
    throw malformed('a signed cursor can be read only by paginate(), with its order and filters')
  }

  resolve(outcome: Partial<PaginationOutcome> = {}): this {
    this.total = outcome.total ?? null
    this.pages = outcome.pages ?? null
    this.more = outcome.more ?? false
    this.next = outcome.next ?? null
    this.previous = outcome.previous ?? null
    this.approximate = outcome.approximate ?? false
    return this
  }
}

/**
 * The rows of one page, with the same pagination object that was passed in, now with its outcome.
 */
export class Mapped<out Row> implements Iterable<Row> {
  readonly items: readonly Row[]
  readonly pagination: Pagination

  constructor(items: readonly Row[], pagination: Pagination) {
    this.items = items
    this.pagination = pagination
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.items[Symbol.iterator]()
  }
}

/** Inputs with all defaults. */
interface CompleteInputs {
  readonly mode: Modes
  readonly limit: number
  /** As given: null in page mode means the first page. Always null in cursor mode. */
  readonly page: number | null
  readonly cursor: string | null
  readonly before: string | null
  readonly backward: boolean
  readonly nulls: boolean
  readonly count: Counts
  readonly cap: number
  /** The total that was handed in. */
  readonly knownTotal: number | null
  readonly deferred: number | null
  /** The key that signs and verifies. */
  readonly signed: KeyObject | null
  /** Keys that only verify. */
  readonly formerKeys: readonly KeyObject[]
  readonly boundTo: string
}

/**
 * Validates the inputs and adds the defaults.
 * @throws InvalidArgumentException when inputs are invalid or contradict each other.
 */
function completeInputs(inputs: PaginationInputs): CompleteInputs {
  const cursor = text('cursor', inputs.cursor)
  const before = text('before', inputs.before)
  const page = whole('page', inputs.page)
  const mode = modeOf(inputs.mode ?? null, page, cursor, before)
  const [signed = null, ...formerKeys] = keysOf(inputs.signed)
  const complete = {
    mode,
    limit: whole('limit', inputs.limit) ?? 10,
    page,
    cursor,
    before,
    backward: before !== null || inputs.backward === true,
    nulls: inputs.nulls === true,
    count: countOf(inputs.count),
    cap: whole('cap', inputs.cap) ?? 10_000,
    knownTotal: whole('total', inputs.total, 0),
    deferred: whole('deferred', inputs.deferred),
    signed,
    formerKeys,
    boundTo: text('boundTo', inputs.boundTo) ?? '',
  }
  // The row after the page must be countable too: it tells whether there is more.
  if ((page ?? 1) * complete.limit < Number.MAX_SAFE_INTEGER) return complete
  throw invalidInput(
    `page ${page ?? 1} of ${complete.limit} rows ends past row ${Number.MAX_SAFE_INTEGER}`,
  )
}

function modeOf(
  given: unknown,
  page: number | null,
  cursor: string | null,
  before: string | null,
): Modes {
  if (given !== null && given !== Modes.Page && given !== Modes.Cursor) {
    throw invalidInput(`mode must be one of 'page', 'cursor', got ${typeof given}`)
  }
  if (cursor !== null && before !== null) throw invalidInput('cursor and before are both given')
  const hasCursor = cursor !== null || before !== null
  if (page !== null && hasCursor) throw invalidInput('a page and a cursor are both given')
  if (given === Modes.Page && hasCursor) throw invalidInput("mode 'page' takes no cursor")
  if (given === Modes.Cursor && page !== null) throw invalidInput("mode 'cursor' takes no page")
  return given ?? (hasCursor ? Modes.Cursor : Modes.Page)
}

function text(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  throw invalidInput(`${name} must be a text, got ${typeof value}`)
}

function whole(name: string, value: unknown, least = 1): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  const got = typeof value === 'number' ? String(value) : typeof value
  throw invalidInput(`${name} must be a whole number, at least ${least}, got ${got}`)
}

function countOf(value: unknown): Counts {
  if (value === undefined) return Counts.Exact
  const known = Object.values(Counts).find((count) => count === value)
  if (known !== undefined) return known
  throw invalidInput(
    `count must be one of '${Object.values(Counts).join("', '")}', got ${typeof value}`,
  )
}

function keysOf(value: unknown): readonly KeyObject[] {
  if (value === undefined) return []
  const keys: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (keys.length > 0 && keys.every(isKey)) return keys
  throw invalidInput(
    'signed must be a secret key of at least 32 bytes, made with createSecretKey()',
  )
}

function isKey(value: unknown): value is KeyObject {
  return value instanceof KeyObject && (value.symmetricKeySize ?? 0) >= 32
}

function invalidInput(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_PAGINATION', `the pagination is invalid: ${reason}`)
}
