import { DatabaseSync } from 'node:sqlite'
import { creating, reading } from '../work.ts'

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

/** How the peers read an order: a prepared statement of Node's own SQLite, nothing around it. */
export function openOrders(): (id: number) => Order {
  const database = new DatabaseSync(':memory:')
  for (const statement of creating) database.exec(statement)
  const select = database.prepare(reading)
  return (id) => {
    const { id: found, item, total } = select.get(id) ?? {}
    return { id: Number(found), item: String(item), total: Number(total) }
  }
}
