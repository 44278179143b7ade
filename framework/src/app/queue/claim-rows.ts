import type { ObjectRow } from '../../data/database/object-rows.ts'
import type { Surface } from '../../data/database/surface.ts'
import { Dialects } from '../../data/sql/dialects/dialect.ts'
import { sql } from '../../data/sql/plan/statement.ts'
import type { Statement } from '../../data/sql/plan/statement.ts'

/** Which jobs are claimed, and for whom. Times are whole epoch seconds. */
export interface RowClaim {
  /** The quoted name of the table. */
  readonly table: unknown
  readonly queue: string
  readonly limit: number
  readonly token: string
  readonly now: number
  /** When the lease ends. */
  readonly until: number
}

type Claim = (surface: Surface, claim: RowClaim) => Promise<readonly ObjectRow[]>

/** Leases the first rows that are due; each row goes to one caller, however many there are at once. */
export function claimRows(surface: Surface, claim: RowClaim): Promise<readonly ObjectRow[]> {
  return claims[surface.dialect.name](surface, claim)
}

const claims: Readonly<Record<Dialects, Claim>> = {
  // One statement is one write transaction: there is no moment between looking and taking.
  [Dialects.SQLite]: (surface, claim) =>
    surface.rows(sql`UPDATE ${claim.table} SET ${leased(claim)}
      WHERE id IN (${due(claim)}) RETURNING id, attempts, payload`),

  // Rows that another worker has in hand are passed over instead of waited for. As a MATERIALIZED
  // part, or the planner may look for rows again for each one it has taken.
  [Dialects.Postgres]: (surface, claim) =>
    surface.rows(sql`WITH picked AS MATERIALIZED (${due(claim)} FOR UPDATE SKIP LOCKED)
      UPDATE ${claim.table} AS jobs SET ${leased(claim)} FROM picked
      WHERE jobs.id = picked.id RETURNING jobs.id, jobs.attempts, jobs.payload`),

  // READ COMMITTED locks the rows that are found and not the gaps between, where others push.
  [Dialects.MariaDB]: (surface, claim) =>
    surface.transaction(
      async (transaction) => {
        const found = await transaction.rows(sql`${due(claim)} FOR UPDATE SKIP LOCKED`)
        if (found.length === 0) return []
        const ids = sql.list(found.map(({ id }) => id))
        await transaction.run(sql`UPDATE ${claim.table} SET ${leased(claim)} WHERE id IN (${ids})`)
        return transaction.rows(
          sql`SELECT id, attempts, payload FROM ${claim.table} WHERE id IN (${ids})`,
        )
      },
      { isolation: 'read-committed' },
    ),
}

function due({ table, queue, now, limit }: RowClaim): Statement {
  return sql`SELECT id FROM ${table} WHERE queue = ${queue} AND state = 'waiting'
    AND due <= ${now} ORDER BY due, id LIMIT ${limit}`
}

function leased({ token, until }: RowClaim): Statement {
  return sql`lease = ${token}, due = ${until}, attempts = attempts + 1`
}
