import { withLongTimeouts } from '../../framework/tests/support/long-timeouts.ts'
import { startOwnPostgres } from '../../framework/tests/support/postgres-server.ts'
import { connect, sql } from '../../framework/dist/public/database.js'
import type { Database, Statement } from '../../framework/dist/public/database.js'
import { Schema } from '../../framework/dist/migrations/schema.js'

/** A PostgreSQL in which each size of each table has a database of its own. */
export interface Ground {
  /** A database with the tables that are made, and filled by these statements. */
  database(
    create: (schema: Schema) => Promise<void>,
    ...fill: readonly Statement[]
  ): Promise<Database>
  /** Bytes that a row takes with its part of the indexes, by table: of the largest of each. */
  readonly rowBytes: ReadonlyMap<string, number>
  close(): Promise<void>
}

/** Starts it. */
export async function openGround(): Promise<Ground> {
  const server = await startOwnPostgres({ shared_buffers: '512MB', max_wal_size: '4GB' })
  const opened: Database[] = []
  const rowBytes = new Map<string, number>()
  return {
    rowBytes,
    async database(create, ...fill) {
      const database = await connect(withLongTimeouts(`${await server.createDatabase()}?pool=1`))
      opened.push(database)
      await database.transaction((transaction) => create(new Schema(transaction)))
      for (const statement of fill) await database.run(statement)
      await database.run(sql`VACUUM ANALYZE`)
      const tables = await database.rows(sql`SELECT relname AS name,
        pg_total_relation_size(oid) / reltuples AS bytes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples > 0`)
      for (const { name, bytes } of tables) rowBytes.set(String(name), Number(bytes))
      return database
    },
    async close() {
      for (const database of opened) await database.close()
      await server.stop()
    },
  }
}
