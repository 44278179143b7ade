import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { inspect } from 'node:util'
import { stateOf } from '../../src/accounts/identity.ts'
import { oneTimeCode, timeStep } from '../../src/accounts/factors/one-time-code.ts'
import { fromBase32 } from '../../src/base/encoding/base32.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { codeOf, oathtoolMissing } from '../support/oathtool.ts'
import { someKey, someSecret } from '../support/some-key.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { ApplicationKey } from '../../src/settings/application-key.ts'
import { AuthenticatorSite, createTables } from './authenticator-site.ts'
import { SecretScan } from './secret-scan.ts'

const keepNothing = { keep: null, device: null, peer: '203.0.113.9', agent: 'Phone' }

/** The code of a secret at a time, as an app would show it. */
function code(secret: string, now: number): string {
  return oneTimeCode(fromBase32(secret) ?? Buffer.alloc(0), timeStep(now))
}

function shown(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
}

/** No session asks. */
const by = { keep: null }

onEveryDatabase((_, open) => {
  const opened = async (t: TestContext): Promise<AuthenticatorSite> => {
    const database = await open(t)
    await createTables(database)
    return new AuthenticatorSite(database)
  }

  /** An account whose app is on, a step ago. */
  const enabled = async (t: TestContext) => {
    const site = await opened(t)
    const ada = await site.person('ada@x.org')
    const { secret } = await site.app.begin(ada, by)
    const codes = (await site.app.enable(ada.id, code(secret, site.clock.now), keepNothing)) ?? []
    site.clock.now += 30
    return { site, ada, secret, codes }
  }

  test('an app counts only after its first code', { skip: oathtoolMissing }, async (t) => {
    const site = await opened(t)
    const ada = await site.person('ada@x.org')
    const { secret, uri } = await site.app.begin(ada, by)
    assert.equal(uri, `otpauth://totp/Shop:ada%40x.org?secret=${secret}&issuer=Shop`)
    assert.match(secret, /^[A-Z2-7]{32}$/)
    assert.deepEqual(await site.app.pending(ada), { secret, uri })
    assert.equal(await site.app.isEnrolled(ada.id), false)
    assert.equal(await site.verify(ada.id, codeOf(secret, site.clock.now)), false)
    for (const wrong of ['', '12345', 'abcdef', code(secret, site.clock.now - 600)]) {
      assert.equal(await site.app.enable(ada.id, wrong, keepNothing), null)
    }
    const right = codeOf(secret, site.clock.now)
    const codes = await site.app.enable(ada.id, right, keepNothing)
    assert.equal(codes?.length, 10)
    assert.deepEqual(await site.app.status(ada.id), { since: site.clock.now, codes: 10 })
    assert.deepEqual(stateOf((await site.users.find(ada.id)) ?? {})?.factors, ['totp'])
    assert.equal(await site.app.pending(ada), null)
    assert.equal(await site.verify(ada.id, right), false, 'the first code is used up')
    site.clock.now += 30
    assert.equal(await site.verify(ada.id, ` ${codeOf(secret, site.clock.now)} `), true)
  })

  test('a code is accepted once, and no code from before it', async (t) => {
    const { site, ada, secret } = await enabled(t)
    site.clock.now += 30
    const [before, now, next] = [-30, 0, 30].map((offset) => code(secret, site.clock.now + offset))
    assert.equal(await site.verify(ada.id, now ?? ''), true)
    assert.equal(await site.verify(ada.id, now ?? ''), false)
    assert.equal(await site.verify(ada.id, before ?? ''), false)
    assert.equal(await site.verify(ada.id, next ?? ''), true, 'a phone may be 30 seconds ahead')
    assert.equal(await site.verify(ada.id, next ?? ''), false)
    site.clock.now += 90
    assert.equal(await site.verify(ada.id, code(secret, site.clock.now - 60)), false)
    assert.equal(await site.verify(ada.id, code(secret, site.clock.now + 60)), false)
    assert.equal(await site.verify('999', code(secret, site.clock.now)), false)
    assert.equal(await site.verify(ada.id, code(secret, site.clock.now)), true)
  })

  test('a recovery code is accepted once, and its owner is told', async (t) => {
    const { site, ada, codes } = await enabled(t)
    const [first = '', second = ''] = codes
    const bob = await site.person('bob@x.org')
    assert.equal(await site.verify(bob.id, first), false)
    assert.equal(await site.verify(ada.id, first.toUpperCase().replaceAll('-', ' ')), true)
    assert.equal(await site.verify(ada.id, first), false)
    assert.equal(await site.verify(ada.id, second), true)
    assert.equal((await site.app.status(ada.id))?.codes, 8)
    const used = site.told.filter(([event]) => event === 'RecoveryUsed')
    assert.deepEqual(
      used.map(([, { user, peer }]) => [user, peer]),
      [
        [ada.id, '203.0.113.9'],
        [ada.id, '203.0.113.9'],
      ],
    )
  })

  test('new recovery codes make the earlier ones void', async (t) => {
    const { site, ada, codes } = await enabled(t)
    const renewed = (await site.app.renewCodes(ada.id, { ...by, peer: '203.0.113.9' })) ?? []
    assert.equal(renewed.length, 10)
    assert.equal(await site.verify(ada.id, codes[0] ?? ''), false)
    assert.equal(await site.verify(ada.id, renewed[0] ?? ''), true)
    assert.equal(site.told.at(-2)?.[0], 'CodesRenewed')
    const bob = await site.person('bob@x.org')
    assert.equal(await site.app.renewCodes(bob.id, by), null)
  })

  test('of renewals at once one set of codes is left, and none beside turning it off', async (t) => {
    const { site, ada } = await enabled(t)
    const sets = await Promise.all(Array.from({ length: 4 }, () => site.app.renewCodes(ada.id, by)))
    assert.equal((await site.app.status(ada.id))?.codes, 10)
    const accepted = await Promise.all(sets.map((codes) => site.verify(ada.id, codes?.[0] ?? '')))
    assert.equal(accepted.filter(Boolean).length, 1)
    const renewals = Array.from({ length: 4 }, () => site.app.renewCodes(ada.id, by))
    await Promise.all([...renewals, site.app.disable(ada.id, keepNothing)])
    assert.deepEqual(await site.database.rows(sql`SELECT id FROM recovery_codes`), [])
  })

  test('turning it on or off ends other devices and tells the owner', async (t) => {
    const site = await opened(t)
    const ada = await site.person('ada@x.org')
    await site.trust.issue(ada.id)
    const { secret } = await site.app.begin(ada, by)
    await site.app.enable(ada.id, code(secret, site.clock.now), keepNothing)
    assert.deepEqual(await site.trust.list(ada.id), [])
    await site.trust.issue(ada.id)
    assert.equal(await site.app.disable(ada.id, keepNothing), true)
    assert.deepEqual(await site.trust.list(ada.id), [])
    assert.equal(await site.app.disable(ada.id, keepNothing), false)
    assert.deepEqual(stateOf((await site.users.find(ada.id)) ?? {})?.factors, [])
    assert.equal(await site.app.status(ada.id), null)
    const rows = await site.database.rows(sql`SELECT id FROM recovery_codes`)
    assert.deepEqual(rows, [])
    assert.deepEqual(
      site.told.map(([event, { method, agent }]) => [event, method, agent]),
      [
        ['FactorAdded', 'totp', 'Phone'],
        ['FactorRemoved', 'totp', 'Phone'],
      ],
    )
  })

  test('another app replaces the one that is on only with its own code', async (t) => {
    const { site, ada, secret, codes } = await enabled(t)
    const { secret: other } = await site.app.begin(ada, by)
    assert.notEqual(other, secret)
    assert.equal(await site.app.enable(ada.id, code(secret, site.clock.now), keepNothing), null)
    assert.equal(await site.verify(ada.id, code(secret, site.clock.now)), true, 'it is still on')
    const fresh = await site.app.enable(ada.id, code(other, site.clock.now), keepNothing)
    assert.equal(fresh?.length, 10)
    site.clock.now += 30
    assert.equal(await site.verify(ada.id, code(secret, site.clock.now)), false)
    assert.equal(await site.verify(ada.id, codes[0] ?? ''), false)
    assert.equal(await site.verify(ada.id, code(other, site.clock.now)), true)
  })

  test('a secret waits an hour for its first code, and is then swept', async (t) => {
    const site = await opened(t)
    const ada = await site.person('ada@x.org')
    const { secret } = await site.app.begin(ada, by)
    site.clock.now += 3600
    assert.equal(await site.app.pending(ada), null)
    assert.equal(await site.app.enable(ada.id, code(secret, site.clock.now), keepNothing), null)
    assert.equal(await site.app.sweep(), 1)
    const { secret: next } = await site.app.begin(ada, by)
    await site.app.enable(ada.id, code(next, site.clock.now), keepNothing)
    site.clock.now += 1e9
    assert.equal(await site.app.sweep(), 0, 'an app that is on does not expire')
  })

  test('secrets are encrypted, each for its own account, and survive a new key', async (t) => {
    const database = await open(t)
    await createTables(database)
    const old = someSecret()
    const site = new AuthenticatorSite(database, new ApplicationKey(old))
    const ada = await site.person('ada@x.org')
    const bob = await site.person('bob@x.org')
    const { secret } = await site.app.begin(ada, by)
    await site.app.enable(ada.id, code(secret, site.clock.now), keepNothing)
    const [row = {}] = await database.rows(sql`SELECT secret FROM totp_secrets`)
    const stored = Buffer.from(row['secret'] instanceof Uint8Array ? row['secret'] : [])
    assert.equal(stored.includes(fromBase32(secret) ?? 'x'), false)
    assert.equal(stored.length > 60, true)
    const later = new AuthenticatorSite(database, someKey(old))
    later.clock.now += 30
    assert.equal(await later.verify(ada.id, code(secret, later.clock.now)), true)
    await database.run(sql`UPDATE totp_secrets SET user_id = ${bob.id}`)
    later.clock.now += 30
    assert.equal(await later.verify(bob.id, code(secret, later.clock.now)), false)
    assert.match(String(later.reported[0]), /E_DECRYPT|cannot be read/)
  })

  test('neither a secret nor a recovery code is in a table, an event or a report', async (t) => {
    const { site, ada, secret, codes } = await enabled(t)
    const scan = new SecretScan()
    const { secret: waiting } = await site.app.begin(ada, by)
    for (const text of [secret, waiting, ...codes]) scan.add(text)
    for (const text of codes) scan.add(text.replaceAll('-', ''))
    for (const key of [secret, waiting]) scan.add(fromBase32(key)?.toString('hex') ?? '')
    await site.verify(ada.id, code(secret, site.clock.now))
    await site.verify(ada.id, codes[0] ?? '')
    const texts = [inspect(site.told), inspect(site.reported)]
    for (const table of ['users', 'totp_secrets', 'recovery_codes', 'sessions', 'trusts']) {
      const rows = await site.database.rows(sql`SELECT * FROM ${sql.name(table)}`)
      texts.push(...rows.flatMap((row) => Object.values(row).map(shown)))
    }
    assert.ok(texts.length > 20)
    assert.deepEqual(scan.leaks(texts.join('\n')), [])
  })

  test('if the account is gone nothing is stored', async (t) => {
    const site = await opened(t)
    const ada = await site.person('ada@x.org')
    const { secret } = await site.app.begin(ada, by)
    await site.database.run(sql`DELETE FROM users`)
    assert.equal(await site.app.enable(ada.id, code(secret, site.clock.now), keepNothing), null)
    assert.deepEqual(await site.database.rows(sql`SELECT id FROM recovery_codes`), [])
    assert.equal(await site.app.isEnrolled(ada.id), false)
  })

  test('a failing database refuses every code and reports it', async (t) => {
    const { site, ada, secret, codes } = await enabled(t)
    await site.database.run(sql`DROP TABLE totp_secrets`)
    await site.database.run(sql`DROP TABLE recovery_codes`)
    assert.equal(await site.verify(ada.id, code(secret, site.clock.now)), false)
    assert.equal(await site.verify(ada.id, codes[0] ?? ''), false)
    assert.equal(site.reported.length, 2)
  })
})
