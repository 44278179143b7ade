import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'

// Commits ten rows, writes five more in a transaction, prints "inside" and waits.
const [url = ''] = process.argv.slice(2)
const database = await connect(url)
await database.run(sql`CREATE TABLE rows (n INTEGER)`)
for (let n = 0; n < 10; n++) {
  await database.transaction((transaction) => transaction.run(sql`INSERT INTO rows VALUES (${n})`))
}
await database.transaction(async (transaction) => {
  for (let n = 10; n < 15; n++) await transaction.run(sql`INSERT INTO rows VALUES (${n})`)
  process.stdout.write('inside\n')
  // Killed long before, unless the test itself died.
  for await (const _ of process.stdin);
  process.exit(1)
})
