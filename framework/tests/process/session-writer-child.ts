import { createInterface } from 'node:readline'
import { setImmediate as turn } from 'node:timers/promises'
import { connect } from '../../src/database/connect.ts'
import { SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { SessionSite } from '../conformance/session-visitor.ts'

// Writes to one session on command: a number of times, then until the session has ended.
const [url = '', cookie = '', name = '', rounds = '0'] = process.argv.slice(2)
const database = await connect(url)
const site = new SessionSite(new SqlSessions(database))
const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const sent: string[] = []

async function write(value: number, identities: unknown[]): Promise<void> {
  const { answer } = await site.request({ cookie }, async (session) => {
    identities.push(await session.get('identity'))
    // Other processes write between the read and the write.
    await turn()
    session.set(`${name} ${value}`, value)
  })
  if (answer.status !== 200) throw new Error(`status ${answer.status}`)
  sent.push(...answer.cookies)
}

console.log('ready')
await orders.next()
for (let round = 1; round <= Number(rounds); round += 1) await write(round, [])
console.log('wrote')

await orders.next()
const seen: unknown[] = []
await write(0, seen)
console.log('began')
while (seen.at(-1) !== null) await write(seen.length % 100, seen)
// The session has ended: later writes belong to a guest.
for (let more = 0; more < 10; more += 1) await write(more, seen)
console.log(JSON.stringify({ seen: [...new Set(seen)], sent }))
process.stdin.destroy()
await database.close()
