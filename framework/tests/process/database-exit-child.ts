import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'

/** Uses a database and neither closes it nor exits. */
const [url = ''] = process.argv.slice(2)
const database = await connect(url)
const rows = await Promise.all([
  database.rows(sql`select 1 as a`),
  database.rows(sql`select 2 as a`),
])
console.log(JSON.stringify(rows.flat()))
