import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '../../src/data/database/connect.ts'
import { sql } from '../../src/data/sql/plan/statement.ts'
import { AuthenticatorSite } from '../databases/authenticator-site.ts'
import { runCommand } from '../support/command.ts'
import { plantDemo } from '../support/plant-demo.ts'

const email = 'demo@example.com'

test('accounts show, sessions and end tell about an account, and sign its owner out everywhere', async (t) => {
  const cwd = plantDemo(t)
  const url = `sqlite:${join(cwd, 'storage', 'support.sqlite')}`
  const run = (args: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand(t, [...args, '--environment', 'development'], { cwd, env: { DATABASE_URL: url } })
  const show = (name: string, ...flags: string[]): ReturnType<typeof runCommand> =>
    run(['accounts', 'show', name, ...flags])
  const sessions = (...flags: string[]): ReturnType<typeof runCommand> =>
    run(['accounts', 'sessions', email, ...flags])

  // Also creates the tables and the seeded account.
  const unknown = await show('nobody@example.com')
  assert.deepEqual([unknown.status, unknown.stdout], [1, ''])
  assert.match(unknown.stderr, /error there is no account nobody@example\.com/)
  const nowhere = await sessions()
  assert.deepEqual([nowhere.status, nowhere.stdout], [0, `${email} is not signed in anywhere\n`])

  const database = await connect(url)
  t.after(() => database.close())
  const site = new AuthenticatorSite(database)
  site.clock.now = Math.floor(Date.now() / 1000)
  const owner = (await site.users.fetch(email)) ?? assert.fail('no owner')
  await site.users.setFactor(owner.id, 'totp', true)
  await site.trust.issue(owner.id, 3600, { agent: 'Fire\u001B[31mfox', peer: '203.0.113.9' })

  const shown = await show(email.toUpperCase())
  assert.equal(shown.status, 0)
  const facts = shown.stdout.split('\n').map((line) => line.split(/ {2,}/))
  assert.deepEqual(Object.fromEntries(facts), {
    account: undefined,
    id: owner.id,
    'e-mail': email,
    verified: 'yes',
    password: 'yes',
    factors: 'totp',
    'signed in': 'in 1 place, 1 remembered',
    'last event': 'none',
    '': undefined,
  })
  const [heading, row] = (await sessions()).stdout.split('\n')
  assert.match(heading ?? '', /^last used +since +address +remembered +browser$/)
  assert.match(row ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d UTC +.* 203\.0\.113\.9 +yes +Fire�\[31mfox$/)
  const [place] = JSON.parse((await sessions('--json')).stdout)
  assert.deepEqual([place.peer, place.remembered], ['203.0.113.9', true])

  const ended = await run(['accounts', 'end', email])
  assert.deepEqual([ended.status, ended.stdout], [0, `${email}: all sessions and devices ended\n`])
  assert.match(ended.stderr, /"channel":"auth","message":"sessions or devices ended"/)
  assert.deepEqual(await site.trust.list(owner.id), [])
  const [event] = await database.rows(sql`SELECT event, method, actor FROM account_activity`)
  assert.deepEqual({ ...event }, { event: 'ended', method: 'all', actor: 'operator' })
  const mails = readdirSync(join(cwd, 'storage', 'mails'))
  const texts = mails.map((name) => readFileSync(join(cwd, 'storage', 'mails', name), 'utf8'))
  assert.match(texts.join(), /Subject: Our support signed you out everywhere/)

  const { places, devices, last } = JSON.parse((await show(email, '--json')).stdout)
  assert.deepEqual([places, devices, last.event, last.actor], [0, 0, 'ended', 'operator'])
})
