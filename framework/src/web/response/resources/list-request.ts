import type { Values } from '../../request/query.ts'

/** How many rows a request may ask for at once. */
export interface ListLimits {
  /** The most; above it stands the cap itself. */
  readonly cap: number
  /** Rows when the request names no number, or none that can be meant. */
  readonly limit: number
}

/** What a request asks of a list. The cursor is empty where a walk begins. */
export type ListRequest =
  | { readonly limit: number; readonly page: number; readonly cursor: null }
  | { readonly limit: number; readonly page: null; readonly cursor: string }

/**
 * Reads `page`, `limit` and `cursor`. A cursor, even an empty one, wins over a page. Nothing is
 * refused here: numbers that cannot be meant count as absent.
 */
export function readListRequest(query: Values, { cap, limit: usual }: ListLimits): ListRequest {
  const limit = Math.min(cap, countIn(query['limit']) ?? usual)
  const cursor = query['cursor']
  if (cursor !== undefined) return { limit, page: null, cursor }
  // Further away nothing can lie: the number of a row and of the one behind it must be exact.
  const last = Math.floor((Number.MAX_SAFE_INTEGER - 1) / limit)
  return { limit, page: Math.min(last, countIn(query['page']) ?? 1), cursor: null }
}

function countIn(text: string | undefined): number | null {
  const count = text !== undefined && /^\d+$/.test(text) ? Number(text) : 0
  return count >= 1 ? count : null
}
