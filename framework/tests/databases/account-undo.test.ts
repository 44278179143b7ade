import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { stateOf } from '../../src/accounts/identity.ts'
import { AuthEvents } from '../../src/accounts/auth-events.ts'
import { createApiTokensTable, ApiTokens } from '../../src/accounts/tokens/api-tokens.ts'
import { deleteRowsOf } from '../../src/accounts/changes/account-deletion.ts'
import { oneTimeCode, timeStep } from '../../src/accounts/factors/one-time-code.ts'
import {
  createOpenIdIdentitiesTable,
  OpenIdIdentities,
  identityHandle,
} from '../../src/accounts/openid/open-id-identities.ts'
import { AccountUndo, createAccountUndosTable } from '../../src/accounts/changes/account-undo.ts'
import { fromBase32 } from '../../src/base/encoding/base32.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { TestAuthenticator } from '../../src/accounts/passkeys/passkey-testing.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { AuthenticatorSite, createTables } from './authenticator-site.ts'
import { someDigest, someRow } from './session-store-contract.ts'
import { tampered } from './token-stores.ts'

const anywhere = { keep: null, device: null }
const day = 86_400

/** Accounts to which everything can be added, and the subjects of what was. */
class UndoSite extends AuthenticatorSite {
  readonly subjects: string[] = []
  readonly lost: unknown[] = []
  readonly tokens: ApiTokens<'read'>
  readonly identities: OpenIdIdentities
  readonly undo: AccountUndo

  constructor(...args: ConstructorParameters<typeof AuthenticatorSite>) {
    super(...args)
    const { app, passkeys, credentials, users, database } = this
    const clock = (): number => this.clock.now
    const { emitter } = this
    emitter.listen(AuthEvents.TokenCreated, ({ subject = '' }) => this.subjects.push(subject))
    emitter.listen(AuthEvents.FactorRemoved, ({ method }) => this.lost.push(method))
    this.tokens = new ApiTokens(database, { scopes: ['read'], credentials, clock })
    this.identities = new OpenIdIdentities(database, { clock })
    this.undo = new AccountUndo(database, {
      clock,
      credentials,
      users,
      additions: {
        totp: app,
        passkey: passkeys,
        token: this.tokens,
        identity: this.identities,
      },
      undoes: [deleteRowsOf('api_tokens'), deleteRowsOf('openid_identities')],
      factors: [app, passkeys],
    })
  }

  /** Turns an app on; its subject. */
  async addApp(account: { id: string; email: string }): Promise<string> {
    const secret =
      fromBase32((await this.app.begin(account, { keep: null })).secret) ?? assert.fail()
    const code = oneTimeCode(secret, timeStep(this.clock.now))
    assert.notEqual(await this.app.enable(account.id, code, anywhere), null)
    return String(this.clock.now)
  }

  /** Adds a passkey; its subject. */
  async addPasskey(account: { id: string; email: string }): Promise<string> {
    const binding = 'ab'.repeat(32)
    const phone = new TestAuthenticator({ origin: 'https://shop.example' })
    const credential = phone.create(await this.passkeys.creationOptions(account, binding))
    const added = { credential, name: '', binding }
    return (await this.passkeys.register(account.id, added, anywhere))?.handle ?? assert.fail()
  }

  /** Adds a token; its subject. */
  async addToken({ id }: { id: string }): Promise<string> {
    const wanted = { name: 'x', scopes: ['read' as const], ttl: 30 * day }
    await this.tokens.create(id, wanted, { keep: null })
    return this.subjects.at(-1) ?? assert.fail()
  }

  /** Adds an identity; its subject. */
  async addIdentity({ id }: { id: string }, issuer: string): Promise<string> {
    assert.ok(await this.identities.add(id, issuer, `person ${id}`))
    return identityHandle(issuer, `person ${id}`)
  }

  /** Opens a session of an account; its digest. */
  async session(identity: string): Promise<string> {
    const digest = someDigest()
    const used = Math.floor(Date.now() / 1000)
    const row = someRow({ identity, created: used, used, expires: used + 600 })
    await this.sessions.create(digest, row)
    return digest
  }

  /** How many an account has of everything, and the names of its factors. */
  async has({ id }: { id: string }) {
    return {
      app: (await this.app.status(id)) !== null,
      passkeys: (await this.passkeys.list(id)).length,
      tokens: (await this.tokens.list(id)).length,
      identities: (await this.identities.list(id)).length,
      factors: stateOf((await this.users.find(id)) ?? {})?.factors,
    }
  }
}

onEveryDatabase((_, open) => {
  async function opened(t: TestContext) {
    const database = await open(t, 'pool=8')
    await createTables(database)
    await database.transaction(async (transaction) => {
      const schema = new Schema(transaction)
      await createApiTokensTable(schema)
      await createOpenIdIdentitiesTable(schema)
      await createAccountUndosTable(schema)
    })
    const site = new UndoSite(database)
    const [ada, bob] = [await site.person('ada@x.org'), await site.person('bob@x.org')]
    return { site, ada, bob }
  }

  test('a link takes away the very thing that it is for, and ends sessions and devices', async (t) => {
    const { site, ada, bob } = await opened(t)
    for (const { id, email } of [ada, bob]) {
      await site.addPasskey({ id, email })
      await site.addToken({ id })
      await site.addIdentity({ id }, 'https://one.example')
    }
    const whole = await site.has(bob)
    const links = {
      passkey: await site.undo.link(ada.id, 'passkey', await site.addPasskey(ada)),
      token: await site.undo.link(ada.id, 'token', await site.addToken(ada)),
      identity: await site.undo.link(
        ada.id,
        'identity',
        await site.addIdentity(ada, 'https://two.example'),
      ),
      totp: await site.undo.link(ada.id, 'totp', await site.addApp(ada)),
    }
    for (const [kind, link] of Object.entries(links)) {
      await site.session(ada.id)
      await site.trust.issue(ada.id)
      assert.equal(await site.undo.find(tampered(link.value)), null)
      assert.deepEqual(await site.undo.find(link.value), { user: ada.id, kind })
      assert.equal((await site.undo.undo(tampered(link.value))) ?? null, null)
      const undone = await site.undo.undo(link.value, { peer: '192.0.2.1' })
      assert.deepEqual(undone, { user: ada.id, kind, email: 'ada@x.org' })
      assert.equal(await site.undo.undo(link.value), null, 'once')
      assert.deepEqual(await site.trust.list(ada.id), [])
      assert.deepEqual(await site.sessions.list(ada.id), [])
    }
    assert.deepEqual(await site.has(ada), whole)
    assert.deepEqual(await site.has(bob), whole)
    const told = site.told.filter(([, { peer }]) => peer === '192.0.2.1')
    assert.deepEqual(
      told.map(([name, { method }]) => [name, method]),
      [
        ['FactorRemoved', 'passkey'],
        ['TokenRevoked', 'undo'],
        ['IdentityUnlinked', 'undo'],
        ['FactorRemoved', 'totp'],
      ],
    )
    assert.equal(await site.users.hasPassword(ada.id), true)
    assert.deepEqual(site.reported, [])
  })

  test('it leaves alone what came instead, and ends after 72 hours', async (t) => {
    const { site, ada } = await opened(t)
    const former = await site.undo.link(ada.id, 'totp', await site.addApp(ada))
    const late = await site.undo.link(ada.id, 'totp', String(site.clock.now))
    site.clock.now += 60
    await site.addApp(ada)
    assert.notEqual(await site.undo.undo(former.value), null)
    assert.deepEqual((await site.has(ada)).factors, ['totp'])
    site.clock.now += 3 * day - 60
    assert.deepEqual(
      [await site.undo.find(late.value), await site.undo.undo(late.value)],
      [null, null],
    )
    assert.equal(await site.undo.sweep(), 1)
  })

  test('of ten clicks on one link at once exactly one undoes, also beside a sign-out', async (t) => {
    const { site, ada } = await opened(t)
    for (const kind of ['passkey', 'all']) {
      const { value } = await site.undo.link(ada.id, kind, await site.addPasskey(ada))
      const outcomes = await Promise.all([
        ...Array.from({ length: 10 }, () => site.undo.undo(value)),
        site.credentials.endOthers(ada.id, anywhere).then(() => null),
      ])
      assert.equal(outcomes.filter((outcome) => outcome !== null).length, 1, kind)
      assert.equal((await site.has(ada)).passkeys, 0)
    }
    assert.deepEqual(site.reported, [])
  })

  test('a passkey that is added while everything ends is there with its factor, or neither', async (t) => {
    const { site, ada } = await opened(t)
    for (let round = 0; round < 5; round += 1) {
      const { value } = await site.undo.link(ada.id, 'all')
      await Promise.all([site.undo.undo(value), site.addPasskey(ada)])
      const { passkeys, factors } = await site.has(ada)
      assert.deepEqual(factors, passkeys === 0 ? [] : ['passkey'])
    }
  })

  test('a link for everything leaves an older app, and voids the password', async (t) => {
    const { site, ada, bob } = await opened(t)
    for (const account of [ada, bob]) {
      if (account === bob) site.clock.now += 7 * day + 1
      await site.addApp(account)
    }
    for (const account of [ada, bob]) {
      await site.addPasskey(account)
      await site.addToken(account)
      await site.addIdentity(account, 'https://one.example')
      const { value } = await site.undo.link(account.id, 'all')
      site.clock.now += day
      assert.notEqual(await site.undo.undo(value), null)
    }
    const none = { app: false, passkeys: 0, tokens: 0, identities: 0, factors: [] }
    assert.deepEqual(await site.has(ada), { ...none, app: true, factors: ['totp'] })
    assert.deepEqual(await site.has(bob), none)
    assert.deepEqual(site.lost, ['passkey', 'totp', 'passkey'])
    const { rows } = await site.activity.list(bob.id)
    const removed = rows.filter(({ event }) => event === 'factor_removed')
    assert.deepEqual(
      removed.map(({ method }) => method),
      ['passkey', 'totp'],
    )
    for (const { id } of [ada, bob]) assert.equal(await site.users.hasPassword(id), false)
  })

  test('its owner ends everything in a session that lives, which stays with the password', async (t) => {
    const { site, ada } = await opened(t)
    await site.addApp(ada)
    site.clock.now += 30 * day
    await site.addToken(ada)
    const [keep, gone] = [await site.session(ada.id), await site.session(ada.id)]
    await site.sessions.destroy(gone)
    await assert.rejects(site.undo.endAll(ada.id, { keep: gone, device: null }), {
      code: 'E_SESSION_ENDED',
    })
    assert.equal((await site.has(ada)).app, true)
    assert.equal(await site.undo.endAll(ada.id, { keep, device: null }), true)
    assert.deepEqual(await site.has(ada), {
      app: false,
      passkeys: 0,
      tokens: 0,
      identities: 0,
      factors: [],
    })
    assert.deepEqual(
      (await site.sessions.list(ada.id)).map(({ digest }) => digest),
      [keep],
    )
    assert.equal(await site.users.hasPassword(ada.id), true)
  })

  test('whichever step fails, nothing is undone and the link stays', async (t) => {
    const { site, ada } = await opened(t)
    await site.addPasskey(ada)
    const { credentials, users } = site
    const broken = new AccountUndo(site.database, {
      clock: () => site.clock.now,
      credentials,
      users,
      additions: { passkey: { undo: () => Promise.reject(new Error('away')) } },
      undoes: [deleteRowsOf('missing')],
      factors: [site.passkeys],
    })
    for (const kind of ['passkey', 'all']) {
      const { value } = await broken.link(ada.id, kind)
      await assert.rejects(broken.undo(value))
      assert.deepEqual(await broken.find(value), { user: ada.id, kind })
    }
    assert.equal((await site.has(ada)).passkeys, 1)
    assert.equal(await site.users.hasPassword(ada.id), true)
  })

  test('only digests of the links are stored', async (t) => {
    const { site, ada } = await opened(t)
    const { value } = await site.undo.link(ada.id, 'all')
    const [row = {}] = await site.database.rows(sql`SELECT * FROM account_undos`)
    const secret = value.split('.')[1] ?? assert.fail()
    assert.ok(!JSON.stringify(row, (_, one) => String(one)).includes(secret))
  })
})
