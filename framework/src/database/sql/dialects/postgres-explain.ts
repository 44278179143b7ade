import { randomBytes } from 'node:crypto'
import type { StatementRunner } from './statement-runner.ts'

/**
 * The generic plan of a SELECT in PostgreSQL, the one that it uses for all values. `EXPLAIN
 * (GENERIC_PLAN)` would give the same, but only since version 16.
 */
export async function postgresExplain(
  runner: StatementRunner,
  select: string,
): Promise<readonly string[]> {
  const name = `explained_${randomBytes(8).toString('hex')}`
  const send = (sql: string): ReturnType<StatementRunner['rows']> =>
    runner.rows({ sql, parameters: [] })
  await send('SET LOCAL plan_cache_mode = force_generic_plan')
  await send(`PREPARE ${name} AS ${select}`)
  const [prepared] = await send(
    `SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = '${name}'`,
  )
  const count = Number(prepared?.['count'] ?? 0)
  const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'NULL').join(', ')})`
  const rows = await send(`EXPLAIN EXECUTE ${name}${values}`)
  await send(`DEALLOCATE ${name}`)
  return rows.map((row) => String(row['QUERY PLAN']))
}

/**
 * Whether a plan scans a table, or sorts rows that no condition on an index has found: both read every
 * row.
 */
export function postgresReadsWhole(plan: readonly string[], table: string): boolean {
  const isScanned = plan.some((line) => {
    const [, name] = /Seq Scan on (\S+)/.exec(line) ?? []
    return name === table || name === `"${table}"`
  })
  if (isScanned) return true
  const isSorted = plan.some((line) => /^\s*(?:->\s*)?Sort\b/.test(line))
  return isSorted && !plan.some((line) => /(?:Index|Recheck) Cond:/.test(line))
}
