import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Credentials } from '../../src/accounts/changes/credentials.ts'
import { createPasskeyTables } from '../../src/accounts/passkeys/passkey-rows.ts'
import { Passkeys } from '../../src/accounts/passkeys/passkeys.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { PasskeySignIn } from '../../src/accounts/sign-in/passkey-sign-in.ts'
import { TestAuthenticator } from '../../src/accounts/passkeys/passkey-testing.ts'
import { AuthSite } from '../conformance/auth-site.ts'
import { password } from '../conformance/auth-visitor.ts'
import type { AuthVisitor } from '../conformance/auth-visitor.ts'
import { barrier } from '../support/barrier.ts'
import { someKey } from '../support/some-key.ts'
import { TestFactor } from '../support/test-factor.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const origin = 'https://shop.example'

/** A site where an account may have passkeys and another factor. */
class PasskeySite {
  readonly passkeys: Passkeys
  readonly site: AuthSite

  constructor(passkeys: Passkeys, site: AuthSite) {
    this.passkeys = passkeys
    this.site = site
    const { router } = site.server
    const { signIn, users } = site
    const passkeySignIn = new PasskeySignIn({ passkeys, users, signIn })
    router.post('/passkey/options', async (request, response) =>
      response.json(await passkeySignIn.options(request)),
    )
    router.post('/passkey', async (request, response) => {
      const { credential = '', remember } = request.fields
      await site.meanwhile()
      const options = { remember: remember !== undefined }
      const outcome = await passkeySignIn.enter(request, response, credential, options)
      if (outcome === null) return response.redirect('/login')
      return response.redirect(await signIn.destination(request, '/account'))
    })
    router.post('/options/:purpose', async (request, response) => {
      const pending = await signIn.pending(request)
      const user = pending?.user ?? String(await request.session.get('identity'))
      const binding = pending?.challenge ?? request.session.digest ?? ''
      const purpose = pending === null ? 'confirm' : 'sign-in'
      return response.json(await passkeys.requestOptions({ purpose, binding, user }))
    })
  }
}

onEveryDatabase((_, open) => {
  let shared: Promise<PasskeySite> | null = null
  let accounts = 0

  async function opened(t: TestContext | null, isAsked = false): Promise<PasskeySite> {
    const database = await open(t)
    let site: AuthSite | null = null
    const credentials: Pick<Credentials, 'changeFactor' | 'hold'> = {
      changeFactor: (...args) => site?.credentials.changeFactor(...args) ?? Promise.resolve(false),
      hold: (...args) => site?.credentials.hold(...args) ?? Promise.resolve(null),
    }
    const options = {
      url: origin,
      title: 'Shop',
      key: someKey(),
      clock: () => site?.clock.now ?? 0,
    }
    const passkeys = new Passkeys(database, { ...options, credentials, isAsked })
    site = await AuthSite.on(database, {
      load: true,
      gate: { factors: [passkeys, new TestFactor()] },
      activity: true,
      // Guests are in their cookies.
      sessions: { key: someKey() },
    })
    await database.transaction((transaction) => createPasskeyTables(new Schema(transaction)))
    return new PasskeySite(passkeys, site)
  }

  /** An account with a passkey, maybe another factor, and the browser that comes in. */
  async function cellOf({ hasFactor = false, isTrusted = false, own = shared } = {}) {
    const { site, passkeys } = await (own ?? (shared = opened(null)))
    accounts += 1
    const email = `person${accounts}@example.com`
    const id = (await site.users.enroll(email, password)) ?? ''
    const phone = new TestAuthenticator({ origin })
    const credential = phone.create(await passkeys.creationOptions({ id, email }, 'a session'))
    const registration = { credential, name: 'Phone', binding: 'a session' }
    const added = await passkeys.register(id, registration, { keep: null, device: null })
    assert.notEqual(added, null)
    if (hasFactor) await site.users.setFactor(id, 'test', true)
    const browser = site.visitor()
    await browser.ask('/notes/hello')
    const cell = { site, passkeys, browser, email, id, phone, handle: added?.handle ?? '' }
    if (isTrusted) {
      await enter(cell, { remember: '1' })
      assert.ok(browser.cookies.has('remember'))
      browser.returns()
    }
    return cell
  }

  type Cell = Awaited<ReturnType<typeof cellOf>>

  async function answer({ phone }: Cell, browser: AuthVisitor, path: string): Promise<string> {
    return phone.get((await browser.post(path)).json())
  }

  async function enter(cell: Cell, fields = {}) {
    const { browser } = cell
    await browser.ask('/notes/hello')
    const credential = await answer(cell, browser, '/passkey/options')
    return browser.post('/passkey', { credential, ...fields })
  }

  for (const hasFactor of [false, true]) {
    for (const isTrusted of [false, true]) {
      const who = `${hasFactor ? 'with' : 'without'} another factor, ${isTrusted ? 'trusted' : 'new'} device`
      test(`a passkey signs in, ${who}; it does not confirm`, async () => {
        const cell = await cellOf({ hasFactor, isTrusted })
        const { browser, id, site } = cell
        await enter(cell)
        assert.equal(await browser.is(), id)
        assert.equal(await browser.sees('pending'), null)
        const { rows } = (await site.activity?.list(id)) ?? { rows: [] }
        assert.deepEqual([rows[0]?.event, rows[0]?.method], ['login', 'passkey'])
        await assertConfirms(cell)
      })

      test(`a password, ${who}: ${hasFactor && !isTrusted ? 'the passkey completes it' : 'signed in'}`, async () => {
        const cell = await cellOf({ hasFactor, isTrusted })
        const { browser, email, id } = cell
        await browser.logsIn({ email })
        if (hasFactor && !isTrusted) {
          assert.equal(await browser.is(), null)
          const credential = await answer(cell, browser, '/options/factor')
          const planted = browser.copy()
          await browser.post('/factor/passkey', { credential: '{}' })
          assert.equal(await browser.is(), null)
          await browser.post('/factor/passkey', { credential })
          assert.equal(await planted.is(), null)
        }
        assert.equal(await browser.is(), id)
        await assertConfirms(cell)
      })
    }
  }

  test('where passkeys are asked for, the password alone is not enough', async (t) => {
    const cell = await cellOf({ own: opened(t, true) })
    const { browser, email, id } = cell
    await browser.logsIn({ email })
    assert.equal(await browser.is(), null)
    const credential = await answer(cell, browser, '/options/factor')
    await browser.post('/factor/passkey', { credential })
    assert.equal(await browser.is(), id)
  })

  test('a factor that the project no longer has is still asked for, and a passkey stands for it', async () => {
    const cell = await cellOf()
    const { browser, email, id, site } = cell
    await site.users.setFactor(id, 'gone', true)
    await browser.logsIn({ email })
    assert.equal(await browser.is(), null)
    const credential = await answer(cell, browser, '/options/factor')
    await browser.post('/factor/passkey', { credential })
    assert.equal(await browser.is(), id)
  })

  test('the answer of another browser, a replay and none at all sign nobody in', async () => {
    const cell = await cellOf()
    const { browser, site, id } = cell
    const thief = site.visitor()
    await thief.ask('/notes/mine')
    const credential = await answer(cell, browser, '/passkey/options')
    const before = browser.copy()
    assert.equal((await thief.post('/passkey', { credential })).headers['location'], '/login')
    assert.equal(
      (await site.visitor().post('/passkey', { credential })).headers['location'],
      '/login',
    )
    await browser.post('/passkey', { credential })
    assert.equal(await browser.is(), id)
    for (const other of [thief, before]) {
      await other.post('/passkey', { credential })
      assert.equal(await other.is(), null)
    }
    assert.equal((await site.visitor().post('/passkey/options')).status, 400)
  })

  test('of several requests with one answer one signs in', async () => {
    const cell = await cellOf()
    const { browser, site, id } = cell
    const credential = await answer(cell, browser, '/passkey/options')
    site.meanwhile = barrier(4)
    const body = new URLSearchParams({ credential })
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => browser.send('/passkey', { method: 'POST', body })),
    )
    site.meanwhile = () => {}
    const winners = answers.filter(({ headers }) => headers['location'] === '/account')
    assert.equal(winners.length, 1)
    assert.equal((await site.sessions.list(id)).length, 1)
  })

  test('a passkey that is removed while it signs in leaves neither a session nor a device', async () => {
    const cell = await cellOf()
    const { browser, site, passkeys, id, handle } = cell
    const credential = await answer(cell, browser, '/passkey/options')
    const find = passkeys.identify.bind(passkeys)
    passkeys.identify = async (entry) => {
      const owner = await find(entry)
      assert.ok(await passkeys.remove(id, handle, { keep: null, device: null }))
      return owner
    }
    await browser.post('/passkey', { credential, remember: '1' })
    passkeys.identify = find
    assert.equal(await browser.is(), null)
    assert.deepEqual([await site.sessions.list(id), await site.trust.list(id)], [[], []])
  })

  /** A passkey confirms for this session; one that does not verify its user does not. */
  async function assertConfirms(cell: Cell): Promise<void> {
    const { browser, phone } = cell
    const page = { headers: { accept: 'text/html' } }
    assert.equal((await browser.ask('/secret', page)).headers['location'], '/confirm')
    phone.verifies = false
    const unverified = await answer(cell, browser, '/options/confirm')
    await browser.post('/confirm/passkey', { credential: unverified })
    assert.equal((await browser.ask('/secret', page)).status, 303)
    phone.verifies = true
    const credential = await answer(cell, browser, '/options/confirm')
    const stolen = browser.copy('session')
    const back = await browser.post('/confirm/passkey', { credential })
    assert.equal(back.headers['location'], '/secret')
    assert.equal((await browser.ask('/secret', page)).text, 'secret')
    assert.equal((await stolen.ask('/secret', page)).headers['location'], '/login')
  }
})
