import { InvalidArgumentException } from '../../base/errors.ts'
import type { Refused } from '../entity/refused.ts'
import { decodeCursor, encodeCursor, malformed } from './cursor.ts'
import type { CursorValue } from './cursor.ts'
import type { Modes } from './modes.ts'
import { completeInputs } from './pagination-inputs.ts'
import type {
  CompleteInputs,
  CursorInputs,
  PageInputs,
  PaginationInputs,
} from './pagination-inputs.ts'

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
  // Assigned through `Object.assign`: only the type of the inputs knows which mode `M` is.
  declare readonly mode: M
  readonly limit: number
  readonly page: number | null
  readonly cursor: string | null
  readonly before: string | null
  readonly backward: boolean
  readonly nulls: boolean
  readonly count: CompleteInputs['count']
  readonly cap: number
  readonly knownTotal: number | null
  readonly deferred: number | null
  readonly signed: CompleteInputs['signed']
  readonly formerKeys: CompleteInputs['formerKeys']
  readonly boundTo: string
  total: number | null = null
  pages: number | null = null
  more = false
  next: string | null = null
  previous: string | null = null
  approximate = false

  constructor(inputs: PaginationInputs = {}) {
    const complete = completeInputs(inputs)
    Object.assign(this, { mode: complete.mode })
    this.limit = complete.limit
    this.page = complete.page
    this.cursor = complete.cursor
    this.before = complete.before
    this.backward = complete.backward
    this.nulls = complete.nulls
    this.count = complete.count
    this.cap = complete.cap
    this.knownTotal = complete.knownTotal
    this.deferred = complete.deferred
    this.signed = complete.signed
    this.formerKeys = complete.formerKeys
    this.boundTo = complete.boundTo
  }

  static encode(values: readonly unknown[]): string {
    return encodeCursor(values)
  }

  decode(arity: number): readonly CursorValue[] {
    if (!Number.isSafeInteger(arity) || arity < 1) {
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
        'decode needs an arity of at least 1',
      )
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
