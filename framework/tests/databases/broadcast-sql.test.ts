import { Schema } from '../../src/migrations/schema.ts'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { SqlLog, createBroadcastsTable } from '../../src/broadcast/sql-log.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { broadcastLogContract } from './broadcast-contract.ts'

onEveryDatabase((_name, _open, create) => {
  broadcastLogContract(async (t) => {
    const url = withLongTimeouts(await create())
    const admin = await connect(url)
    t.after(() => admin.close())
    await admin.transaction((transaction) => createBroadcastsTable(new Schema(transaction)))
    // With notifications it looks rarely: a test that needed that would hang.
    const interval = admin.notices === undefined ? 0.02 : 60
    return {
      log: async (throwables) => {
        const database = await connect(url)
        t.after(() => database.close())
        return new SqlLog(database, { throwables, interval })
      },
      breakConnections: async () => {
        if (admin.notices === undefined) return
        await admin.run(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`)
      },
      empty: async () => {
        const [last] = await admin.rows(sql`SELECT max(epoch) AS epoch FROM broadcasts`)
        // The next epoch is that of another second.
        await waitFor('a second', () => Date.now() - Number(last?.['epoch']) > 1_000)
        await admin.run(sql`DELETE FROM broadcasts`)
      },
    }
  })
})
