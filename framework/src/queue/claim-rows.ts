import type { ObjectRow } from '../database/sql/rows/declared-rows.ts'
import type { Surface } from '../database/surface.ts'
import { sql } from '../database/sql/plan/statement.ts'

/** Which jobs to claim, and under which lease. Times are whole epoch seconds. */
export interface JobClaim {
  /** The quoted name of the table. */
  readonly table: unknown
  readonly queue: string
  readonly limit: number
  readonly token: string
  readonly now: number
  /** When the lease ends. */
  readonly until: number
}

/** Leases the first due rows. Each row goes to one caller, however many claim concurrently. */
export function claimRows(surface: Surface, claim: JobClaim): Promise<readonly ObjectRow[]> {
  const { table, queue, limit, token, now, until } = claim
  return surface.dialect.claim(surface, {
    table,
    pick: sql`SELECT id FROM ${table} WHERE queue = ${queue} AND state = 'waiting'
      AND due <= ${now} ORDER BY due, id LIMIT ${limit}`,
    changes: sql`lease = ${token}, due = ${until}, attempts = attempts + 1`,
    returning: ['attempts', 'payload'],
  })
}
