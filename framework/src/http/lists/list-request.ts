import type { Modes } from '../../orm/pagination/pagination.ts'
import type { Values } from '../request/query.ts'

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
