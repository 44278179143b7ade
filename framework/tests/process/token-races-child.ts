import { createInterface } from 'node:readline'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { Theft, Trust } from '../../src/accounts/devices/trust.ts'
import { Tokens } from '../../src/accounts/tokens/tokens.ts'
import { connect } from '../../src/database/connect.ts'
import { Throwables } from '../../src/errors/throwables/throwables.ts'

// Redeems or rotates each given token, once on every connection at the same time, and
// prints the results and the number of reported failures.
const [url = '', connections = '1'] = process.argv.slice(2)
const databases = await Promise.all(Array.from({ length: Number(connections) }, () => connect(url)))
const reports: string[] = []
Throwables.reporters.push((error) => reports.push(String(error)))

async function rotated(trust: Trust, token: string, grace: number): Promise<string | null> {
  const outcome = await trust.rotate(token, 3600, { grace })
  if (outcome === null) return null
  return outcome instanceof Theft ? 'theft' : outcome.value
}

console.log('ready')
for await (const line of createInterface({ input: process.stdin })) {
  const { verb, token, grace } = JSON.parse(line)
  const outcomes = await Promise.all(
    databases.map((database) =>
      verb === 'redeem'
        ? new Tokens(database).redeem(token, Purposes.Recovery)
        : rotated(new Trust(database), token, grace),
    ),
  )
  console.log(JSON.stringify({ outcomes, reports: reports.splice(0) }))
}
await Promise.all(databases.map((database) => database.close()))
