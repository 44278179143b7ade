import { createInterface } from 'node:readline'
import { Credentials } from '../../src/accounts/changes/credentials.ts'
import { connect } from '../../src/database/connect.ts'
import { SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { cheapArgon2, CountedPassword } from '../support/counted-password.ts'

// Resets a password with a shared token, then changes the password of the same account.
const [url = '', user = '', token = '', name = ''] = process.argv.slice(2)
const database = await connect(url)
const { password } = new CountedPassword(cheapArgon2)
const credentials = new Credentials(database, password, {
  sessions: (surface) => new SqlSessions(surface),
})
const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

console.log('ready')
await orders.next()
console.log(JSON.stringify(await credentials.reset(token, `reset by ${name}`)))
await orders.next()
console.log(JSON.stringify(await credentials.change(user, `changed by ${name}`, { keep: null })))
process.stdin.destroy()
await database.close()
