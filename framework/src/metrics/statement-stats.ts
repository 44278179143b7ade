/** How often a statement ran lately, and how long it took; all times are in seconds. */
export interface StatementStats {
  /** The statement without its values. */
  readonly statement: string
  readonly count: number
  readonly total: number
  readonly max: number
  /** A line of the project that sends it, such as `shop/orders.ts:12`; null if there is none. */
  readonly caller: string | null
}

/** How many statements are shown. */
export const maxStatements = 20

/** The slowest statements of several lists, those with the highest `max` first; equal ones are added up. */
export function mergeStatements(lists: readonly (readonly StatementStats[])[]): StatementStats[] {
  const merged = new Map<string, StatementStats>()
  for (const one of lists.flat()) {
    const known = merged.get(one.statement)
    merged.set(one.statement, known === undefined ? one : added(known, one))
  }
  return [...merged.values()].sort((a, b) => b.max - a.max).slice(0, maxStatements)
}

function added(one: StatementStats, other: StatementStats): StatementStats {
  const slower = other.max > one.max ? other : one
  return {
    statement: one.statement,
    count: one.count + other.count,
    total: one.total + other.total,
    max: slower.max,
    caller: slower.caller ?? one.caller ?? other.caller,
  }
}

/** The valid entries of a decoded list, at most as many as are shown. */
export function readStatements(list: unknown): StatementStats[] {
  return Array.isArray(list) ? list.slice(0, maxStatements).flatMap(readOne) : []
}

function readOne(given: unknown): StatementStats[] {
  if (typeof given !== 'object' || given === null) return []
  const { statement, count, total, max, caller }: Readonly<Record<string, unknown>> = { ...given }
  if (typeof statement !== 'string' || !isAmount(count) || !isAmount(total) || !isAmount(max)) {
    return []
  }
  return [{ statement, count, total, max, caller: typeof caller === 'string' ? caller : null }]
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
