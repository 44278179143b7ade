import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { stateOf } from '../../src/accounts/identity.ts'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { totpCode } from '../../src/accounts/factors/factor-testing.ts'
import { AuthenticatorSite } from '../databases/authenticator-site.ts'
import { runCommand } from '../support/command.ts'
import { plantDemo } from '../support/plant-demo.ts'

const email = 'demo@example.com'

test('accounts unlock turns the factor off, ends all sessions, and tells the owner', async (t) => {
  const cwd = plantDemo(t)
  const url = `sqlite:${join(cwd, 'storage', 'unlock.sqlite')}`
  const unlock = (name: string): ReturnType<typeof runCommand> =>
    runCommand(t, ['accounts', 'unlock', name, '--environment', 'development'], {
      cwd,
      env: { DATABASE_URL: url },
    })
  // Also creates the tables and the seeded account.
  const before = await unlock(email)
  assert.deepEqual(
    [before.status, before.stdout],
    [0, `${email} has no second factor; nothing was changed\n`],
  )

  const database = await connect(url)
  t.after(() => database.close())
  const site = new AuthenticatorSite(database)
  const owner = await site.users.fetch(email)
  assert.ok(owner)
  const { secret } = await site.app.begin(owner, { keep: null })
  const code = totpCode(secret, site.clock.now)
  assert.equal((await site.app.enable(owner.id, code, { keep: null, device: null }))?.length, 10)
  await site.trust.issue(owner.id)

  const { status, stdout, stderr } = await unlock(email.toUpperCase())
  assert.equal(stdout, `${email.toUpperCase()}: totp removed, all sessions and devices ended\n`)
  assert.equal(status, 0)
  assert.match(stderr, /"channel":"auth","message":"factor removed"/)
  assert.equal(await site.app.isEnrolled(owner.id), false)
  assert.deepEqual(stateOf((await site.users.fetch(email)) ?? {})?.factors, [])
  assert.deepEqual(await site.trust.list(owner.id), [])
  const [row] = await database.rows(
    sql`SELECT event, actor FROM account_activity ORDER BY id DESC LIMIT 1`,
  )
  assert.deepEqual({ ...row }, { event: 'factor_removed', actor: 'operator' })
  const mails = readdirSync(join(cwd, 'storage', 'mails'))
  const texts = mails.map((name) => readFileSync(join(cwd, 'storage', 'mails', name), 'utf8'))
  assert.match(texts.join(), /Subject: A second step was removed from your sign-in/)

  const unknown = await unlock('nobody@example.com')
  assert.deepEqual([unknown.status, unknown.stdout], [1, ''])
  assert.match(unknown.stderr, /there is no account nobody@example\.com/)
})
