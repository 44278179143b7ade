import { InvalidArgumentException } from '../../../base/errors.ts'
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

/** What became of a pagination. */
export interface PaginationOutcome {
  /** Rows of the whole selection; page mode. */
  readonly total: number | null
  /** Pages of the whole selection, 0 when it is empty; page mode. */
  readonly pages: number | null
  /** Whether rows follow in the direction of the walk. */
  readonly more: boolean
  /** The cursor of the page behind this one; cursor mode. */
  readonly next: string | null
  /** The cursor, for `before`, of the page in front of this one; cursor mode with `backward`. */
  readonly previous: string | null
  /** Whether `total` and `pages` are a cap that was reached or an estimate. */
  readonly approximate: boolean
}

/** Which rows of a selection are wanted, and once they came, what else there is. */
export interface Pagination<out M extends Modes = Modes> extends CompleteInputs, PaginationOutcome {
  readonly mode: M
  /**
   * The values of its cursor, strictly checked.
   * @throws InvalidArgumentException unless it was made from so many values.
   */
  decode(arity: number): readonly CursorValue[]
  /** Writes the outcome; what is not given is reset. */
  resolve(outcome?: Partial<PaginationOutcome>): this
}

/** Makes paginations; the inputs decide the mode, also in the type. */
export interface PaginationConstructor {
  readonly prototype: Pagination
  new (inputs: CursorInputs): Pagination<'cursor'>
  new (inputs?: PageInputs): Pagination<'page'>
  /** @throws InvalidArgumentException when inputs are wrong or contradict each other. */
  new (inputs: PaginationInputs): Pagination
  /**
   * Values of a position, order columns first and the key last, as an opaque token.
   * @throws InvalidArgumentException for null and whatever else is no text, number or boolean.
   */
  encode(values: readonly unknown[]): string
}

/** `new Pagination({ limit: 20, page: 3 })`, `new Pagination({ cursor })`, `new Pagination({ mode: Modes.Cursor })`. */
export const Pagination: PaginationConstructor = class<M extends Modes> {
  // What the inputs say of the mode is known to their type alone, so it is not assigned by name.
  declare readonly mode: M
  readonly limit: number
  readonly page: number | null
  readonly cursor: string | null
  readonly before: string | null
  readonly backward: boolean
  readonly count: CompleteInputs['count']
  readonly cap: number
  readonly deferred: number | null
  readonly signed: CompleteInputs['signed']
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
    this.count = complete.count
    this.cap = complete.cap
    this.deferred = complete.deferred
    this.signed = complete.signed
  }

  static encode(values: readonly unknown[]): string {
    return encodeCursor(values)
  }

  decode(arity: number): readonly CursorValue[] {
    if (!Number.isSafeInteger(arity) || arity < 1) {
      throw new InvalidArgumentException('E_INVALID_ARGUMENT', 'decode takes a number of 1 or more')
    }
    const token = this.cursor ?? this.before
    if (token === null) throw malformed('none was given')
    if (this.signed === null) return decodeCursor(token, arity)
    throw malformed('a signed one is read with its order and filters, by paginate()')
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
