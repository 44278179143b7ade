import { scanStatement } from '../../mariadb/scan-statement.ts'
import type { StatementRunner } from './statement-runner.ts'

/** Does not change the plan, but is refused in a read-only transaction. */
const lock = /\s(?:FOR UPDATE|LOCK IN SHARE MODE)(?: SKIP LOCKED| NOWAIT| WAIT \d+)?\s*$/i

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
    sql: `EXPLAIN ${select.replace(lock, '')}`,
    parameters: Array.from({ length: placeholders }, () => '1'),
  })
  return rows.map(line)
}

type PlanRow = Readonly<Record<string, unknown>>

function line(row: PlanRow): string {
  const [kind, table, type, key, rows, extra] = columns.map((column) => textOf(row[column]))
  const parts = [
    table === '' ? '' : `table ${table}`,
    type === '' ? '' : `${type} by ${key === '' ? 'no key' : key}`,
    rows === '' ? '' : `${rows} rows`,
    extra,
  ]
  return `${kind}: ${parts.filter((part) => part !== '').join(', ')}`
}

const columns = ['select_type', 'table', 'type', 'key', 'rows', 'Extra']

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : ''
}

/** Whether a plan reads a table, or an index to be sorted, from end to end. */
export function mariadbReadsWhole(plan: readonly string[], table: string): boolean {
  return plan.some((text) => {
    const [, name, type] = /: table (\S+), (\w+) by /.exec(text) ?? []
    if (name !== table) return false
    return type === 'ALL' || (type === 'index' && text.includes('Using filesort'))
  })
}
