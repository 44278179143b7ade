import { createInterface } from 'node:readline'
import { createSecretKey } from 'node:crypto'
import { ApplicationKey } from '../../src/settings/application-key.ts'
import { connect } from '../../src/database/connect.ts'
import { AuthenticatorSite } from '../databases/authenticator-site.ts'
import { KeptSession } from '../support/kept-session.ts'

// Presents each given code, at the given time, once on every connection at the same moment, and prints
// what became of it and what was reported.
const [url = '', connections = '1', key = ''] = process.argv.slice(2)
const application = new ApplicationKey(createSecretKey(Buffer.from(key, 'hex')))
const nobody = { keep: null, device: null }
const databases = await Promise.all(Array.from({ length: Number(connections) }, () => connect(url)))
const sites = databases.map((database) => new AuthenticatorSite(database, application))

console.log('ready')
for await (const line of createInterface({ input: process.stdin })) {
  const { verb, user, code, now, session } = JSON.parse(line)
  const [binding, purpose, peer] = ['a session', 'sign-in', '203.0.113.9'] as const
  const passkey = { credential: code, name: 'Phone', binding }
  const outcomes = await Promise.all(
    sites.map(async (site) => {
      site.clock.now = now
      if (verb === 'verify') return site.verify(user, code)
      if (verb === 'enter') return (await site.passkeys.identify(passkey)) !== null
      if (verb === 'prove') {
        const fields = { credential: code }
        return site.passkeys.verify({ user, fields, binding, purpose, peer })
      }
      if (verb === 'register') return (await site.passkeys.register(user, passkey, nobody)) !== null
      if (verb === 'mail') {
        return (await site.mails.redeemCode(new KeptSession(session), code)) !== null
      }
      return (await site.app.enable(user, code, nobody)) !== null
    }),
  )
  const reports = sites.flatMap(({ reported }) => reported.splice(0).map(String))
  console.log(JSON.stringify({ outcomes, reports }))
}
await Promise.all(databases.map((database) => database.close()))
