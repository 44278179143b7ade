import { KeyObject } from 'node:crypto'
import { InvalidArgumentException } from '../../base/errors.ts'
import { Counts } from './counts.ts'
import { Modes } from './modes.ts'

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

/** Inputs with all defaults. */
export interface CompleteInputs {
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
export function completeInputs(inputs: PaginationInputs): CompleteInputs {
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
  refuseBeyondCounting(complete)
  return complete
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

// The row after the page must be countable too: it tells whether there is more.
function refuseBeyondCounting({ page, limit }: CompleteInputs): void {
  if ((page ?? 1) * limit < Number.MAX_SAFE_INTEGER) return
  throw invalidInput(`page ${page ?? 1} of ${limit} rows ends past row ${Number.MAX_SAFE_INTEGER}`)
}

function invalidInput(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_PAGINATION', `the pagination is invalid: ${reason}`)
}
