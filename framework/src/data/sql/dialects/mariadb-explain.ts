import { scanStatement } from '../../database/mariadb/scan-statement.ts'
import type { StatementRunner } from './statement-runner.ts'

/**
 * The plan of a SELECT in MariaDB. The server plans only for certain values; the text '1' can be
 * compared with every type. With NULL the plan would be an "Impossible WHERE".
 */
export async function mariadbExplain(
  runner: StatementRunner,
  select: string,
): Promise<readonly string[]> {
  const { placeholders } = scanStatement(select)
  const rows = await runner.rows({
    sql: `EXPLAIN ${select}`,
    parameters: Array.from({ length: placeholders }, () => '1'),
  })
  return rows.map(line)
}

type PlanRow = Readonly<Record<string, unknown>>

function line(row: PlanRow): string {
  const { id, select_type: kind, table, type, key, rows, Extra: extra } = row
  const parts = [
    ...(table === null ? [] : [`table ${String(table)}`]),
    ...(type === null ? [] : [`${String(type)} by ${key === null ? 'no key' : String(key)}`]),
    ...(rows === null ? [] : [`${String(rows)} rows`]),
    ...(extra === null || extra === '' ? [] : [String(extra)]),
  ]
  return `${id === null ? '' : `${String(id)} `}${String(kind)}: ${parts.join(', ')}`
}
