import { DatabaseSync } from 'node:sqlite'
import { bareWork } from '../work.ts'

/** What the harness asks of a server process. */
export interface Contestant {
  readonly port: number
  readonly parts: ReadonlySet<string>
  /** For what it writes. */
  readonly folder: string
}

/** Reads `<port> <parts…>` from the command line. */
export function contestant(): Contestant {
  const [port, ...parts] = process.argv.slice(2)
  const folder = process.env['OBSERVABILITY_BENCHMARK_FOLDER']
  if (port === undefined || folder === undefined) {
    throw new Error(`expected <port> <parts…>, got ${process.argv.slice(2).join(' ')}`)
  }
  return { port: Number(port), parts: new Set(parts), folder }
}

/** An order of the database. */
export interface Order {
  readonly id: number
  readonly item: string
  readonly total: number
}

/** Puts something around each call of a function that runs a statement. */
export type AroundStatement = <Args extends unknown[], Result>(
  statement: string,
  run: (...args: Args) => Result,
) => (...args: Args) => Result

/** Puts nothing around it. */
export const untouched: AroundStatement = (_statement, run) => run

/** How the peers read an order: a prepared statement of Node's own SQLite. */
export function openOrders(around: AroundStatement): (id: number) => Order {
  const database = new DatabaseSync(':memory:')
  for (const statement of bareWork.creating) database.exec(statement)
  const select = database.prepare(bareWork.reading)
  return around(bareWork.reading, (id) => {
    const { id: found, item, total } = select.get(id) ?? {}
    return { id: Number(found), item: String(item), total: Number(total) }
  })
}
