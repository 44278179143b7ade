import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'

// Increments one counter, by reading and writing in transactions and by single statements.
const [url = '', rounds = '0'] = process.argv.slice(2)
const database = await connect(url)
await database.run(
  sql`CREATE TABLE IF NOT EXISTS counter (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)`,
)
await database.run(sql`INSERT INTO counter VALUES (1, 0) ON CONFLICT DO NOTHING`)

async function addByReading(): Promise<void> {
  await database.transaction(async (transaction) => {
    const [row] = await transaction.rows(sql`SELECT n FROM counter`)
    await transaction.run(sql`UPDATE counter SET n = ${Number(row?.['n']) + 1}`)
  })
}

for (let round = 0; round < Number(rounds); round++) {
  await Promise.all([
    addByReading(),
    addByReading(),
    database.run(sql`UPDATE counter SET n = n + 1`),
  ])
}
await database.close()
