import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ApiTokens } from '../../src/accounts/tokens/api-tokens.ts'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { AuthenticatorSite } from '../databases/authenticator-site.ts'
import { runCommand } from '../support/command.ts'
import { plantDemo } from '../support/plant-demo.ts'

const email = 'demo@example.com'

test('accounts show, sessions and end tell about an account and sign its owner out; suspend lets nobody in until restore', async (t) => {
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
  const tokens = new ApiTokens(database, { scopes: ['all'], credentials: site.credentials })
  const made = await tokens.create(
    owner.id,
    { name: 'CI', scopes: ['all'], ttl: 60 },
    { keep: null },
  )
  // As if nothing had been recorded so far.
  await site.activity.forget(owner.id)
  await site.trust.issue(owner.id, 3600, { agent: 'Fire\u001B[31mfox', peer: '203.0.113.9' })

  const shown = await show(email.toUpperCase())
  assert.equal(shown.status, 0)
  const facts = shown.stdout.split('\n').map((line) => line.split(/ {2,}/))
  assert.deepEqual(Object.fromEntries(facts), {
    account: undefined,
    id: owner.id,
    'e-mail': email,
    verified: 'yes',
    suspended: 'no',
    password: 'yes',
    factors: 'totp',
    passkeys: 'none',
    'other sites': 'none',
    'API tokens': 'CI',
    'signed in': 'in 1 place, 1 remembered',
    device: facts.find(([name]) => name === 'device')?.[1] ?? '',
    'last event': 'none',
    '': undefined,
  })
  assert.match(shown.stdout, /^device +Fire.*fox, 203\.0\.113\.9, last used \d{4}-/m)
  const [heading, row] = (await sessions()).stdout.split('\n')
  assert.match(heading ?? '', /^last used +since +address +remembered +browser$/)
  assert.match(row ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d UTC +.* 203\.0\.113\.9 +yes +Fire�\[31mfox$/)
  const [place] = JSON.parse((await sessions('--json')).stdout)
  assert.deepEqual([place.peer, place.remembered], ['203.0.113.9', true])

  const ended = await run(['accounts', 'end', email])
  assert.deepEqual(
    [ended.status, ended.stdout],
    [0, `${email}: ended 0 sessions, 1 device, 1 API token\n`],
  )
  assert.match(ended.stderr, /"channel":"auth","message":"sessions or devices ended"/)
  assert.deepEqual(await site.trust.list(owner.id), [])
  assert.equal(await tokens.find(made?.value ?? ''), null)
  const events = async (): Promise<unknown> =>
    (await database.rows(sql`SELECT event, actor FROM account_activity ORDER BY id`)).map(
      ({ event, actor }) => `${String(event)} by ${String(actor)}`,
    )
  assert.deepEqual(await events(), ['ended by operator', 'token_revoked by operator'])
  const mails = readdirSync(join(cwd, 'storage', 'mails'))
  const texts = mails.map((name) => readFileSync(join(cwd, 'storage', 'mails', name), 'utf8'))
  assert.match(texts.join(), /Subject: Our support signed you out everywhere/)

  const { places, devices, last } = JSON.parse((await show(email, '--json')).stdout)
  assert.deepEqual([places, devices, last.actor], [0, [], 'operator'])

  const suspended = await run(['accounts', 'suspend', email])
  assert.deepEqual(
    [suspended.status, suspended.stdout],
    [0, `${email} is suspended: signed out everywhere, and nobody gets in\n`],
  )
  assert.match(suspended.stderr, /"channel":"auth","message":"account suspended"/)
  assert.match((await show(email)).stdout, /^suspended +yes$/m)
  const again = await run(['accounts', 'suspend', email])
  assert.equal(again.stdout, `${email} is suspended already; nothing was changed\n`)
  const restored = await run(['accounts', 'restore', email])
  assert.deepEqual(
    [restored.status, restored.stdout],
    [0, `${email} is restored and can sign in\n`],
  )
  const nothing = await run(['accounts', 'restore', email])
  assert.equal(nothing.stdout, `${email} is not suspended; nothing was changed\n`)
  const unknowns = await run(['accounts', 'suspend', 'nobody@example.com'])
  assert.deepEqual([unknowns.status, unknowns.stdout], [1, ''])
  const told: readonly string[] = ['suspended by operator', 'restored by operator']
  assert.deepEqual(Object(await events()).slice(2), told)
})
