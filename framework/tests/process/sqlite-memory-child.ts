import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'

// Uses an in-memory database and ends in the given way without closing it.
const [ending = ''] = process.argv.slice(2)
const database = await connect('sqlite::memory:')
const [row] = await database.rows(sql`SELECT file FROM pragma_database_list`)
await database.transaction((transaction) => transaction.run(sql`CREATE TABLE t (a)`))
process.stdout.write(`${String(row?.['file'])}\n`)
if (ending === 'exit') process.exit(0)
if (ending === 'throw') throw new Error('the child dies with a database open')
