import { scanStatement } from '../../sqlite/scan-statement.ts'
import type { StatementRunner } from './statement-runner.ts'

/** The plan of a SELECT in SQLite, which does not depend on the values: they are bound as NULL. */
export async function sqliteExplain(
  runner: StatementRunner,
  select: string,
): Promise<readonly string[]> {
  const { placeholders } = scanStatement(select)
  const rows = await runner.rows({
    sql: `EXPLAIN QUERY PLAN ${select}`,
    parameters: Array.from({ length: placeholders }, () => null),
  })
  const depths = new Map<unknown, number>()
  return rows.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1
    depths.set(id, depth)
    return `${'  '.repeat(depth)}${String(detail)}`
  })
}

/** Whether a plan scans a table without an index. */
export function sqliteReadsWhole(plan: readonly string[], table: string): boolean {
  return plan.some((line) => line.trim() === `SCAN ${table}`)
}
