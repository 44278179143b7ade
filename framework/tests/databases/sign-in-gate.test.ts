import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Users } from '../../src/accounts/users.ts'
import { Password } from '../../src/accounts/passwords/password.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { Tokens } from '../../src/accounts/tokens/tokens.ts'
import type { OpenIdIssuer } from '../../src/accounts/openid/open-id-issuer.ts'
import type { Transaction } from '../../src/database/surface.ts'
import { AuthSite } from '../conformance/auth-site.ts'
import { password } from '../conformance/auth-visitor.ts'
import type { AuthVisitor } from '../conformance/auth-visitor.ts'
import { barrier } from '../support/barrier.ts'
import { OpenIdSite, siteUrl } from '../support/open-id-site.ts'
import { TestFactor } from '../support/test-factor.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const page = { headers: { accept: 'text/html' } }

/** An account of a cell, and the browser that comes in. */
interface Cell {
  readonly site: AuthSite
  readonly openId: OpenIdSite
  readonly factor: TestFactor
  readonly browser: AuthVisitor
  readonly email: string
  readonly id: string
}

/**
 * Every way in. A part that adds one adds a line here: `enter` comes in with an account that exists,
 * `skips` says who is not asked for a factor that the account has.
 */
const ways: readonly {
  readonly name: string
  readonly enter: (cell: Cell) => Promise<unknown>
  /** `devices`: only a trusted device is not asked; `all`: nobody is, the way in has proven a factor. */
  readonly skips: 'devices' | 'all' | 'none'
  /** Whether it needs the cookie of a trusted device. */
  readonly byDevice?: boolean
}[] = [
  {
    name: 'password',
    enter: ({ browser, email }) => browser.logsIn({ email }),
    skips: 'devices',
  },
  {
    name: 'remembered device',
    enter: ({ browser }) => browser.is(),
    skips: 'devices',
    byDevice: true,
  },
  { name: 'mailed code', enter: byMail('code'), skips: 'devices' },
  { name: 'mailed link', enter: byMail('link'), skips: 'devices' },
  { name: 'another site', enter: fromAnotherSite, skips: 'devices' },
  { name: 'passkey', enter: by('passkey', { proven: 'test' }), skips: 'all' },
  {
    name: 'reset by mail',
    enter: async (cell) => {
      const { value } = await new Tokens(cell.site.database).mint(cell.id, Purposes.Recovery)
      assert.equal(await cell.site.credentials.reset(value, password), cell.id)
      await by('reset')(cell)
    },
    skips: 'none',
  },
]

async function fromAnotherSite({ openId, browser, id }: Cell): Promise<void> {
  await openId.identities.add(id, anotherSite.key, id)
  const state = await openId.begin(browser, 'another')
  const address = `/login/oidc/another/callback?state=${state}&code=${id}`
  await openId.back(browser, new URL(address, siteUrl))
}

/** Leads to nowhere, and takes the code for who somebody is. */
const anotherSite: OpenIdIssuer = {
  name: 'another',
  label: 'Another site',
  key: 'https://another.example/',
  trustsEmail: false,
  registers: false,
  authorizationUrl: async ({ state }) => state,
  redeem: async ({ searchParams }) => ({
    subject: searchParams.get('code') ?? '',
    email: async () => null,
  }),
}

function by(
  way: string,
  fields: Readonly<Record<string, string>> = {},
): (cell: Cell) => Promise<unknown> {
  return ({ browser, email }) => browser.post(`/enter/${way}`, { email, ...fields })
}

function byMail(kind: 'code' | 'link'): (cell: Cell) => Promise<unknown> {
  return async ({ site, browser, email, id }) => {
    // An address that was not verified would end the device and the password of the cell.
    await site.users.confirm(id)
    const mail = Object((await browser.post('/mail', { email })).json())
    const fields = { code: String(mail.code), link: String(mail.path).replace('/', '.') }
    return browser.post(`/mail/${kind}`, fields)
  }
}

onEveryDatabase((_, open) => {
  let shared: ReturnType<typeof opened> | null = null
  let accounts = 0

  async function opened(t: TestContext | null, trustDevices: boolean = true) {
    const factor = new TestFactor()
    const database = await open(t)
    const gate = { factors: [factor], trustDevices }
    const site = await AuthSite.on(database, { load: true, gate, activity: true })
    return { factor, site, openId: await OpenIdSite.on(site, [anotherSite]) }
  }

  async function cellOf(hasFactor: boolean, isTrusted: boolean, own = shared): Promise<Cell> {
    const { site, factor, openId } = await (own ?? (shared = opened(null)))
    accounts += 1
    const email = `person${accounts}@example.com`
    const id = (await site.users.enroll(email, password)) ?? ''
    if (hasFactor) await site.users.setFactor(id, 'test', true)
    const browser = site.visitor()
    const cell = { site, openId, factor, browser, email, id }
    if (isTrusted) {
      await browser.logsIn({ email, remember: '1' })
      if (hasFactor) await browser.post('/factor/test', { code: factor.code(id) })
      assert.ok(browser.cookies.has('remember'))
      browser.returns()
    }
    return cell
  }

  for (const { name, enter, skips, byDevice = false } of ways) {
    for (const hasFactor of [false, true]) {
      for (const isTrusted of byDevice ? [true] : [false, true]) {
        const asks = hasFactor && (skips === 'none' || (skips === 'devices' && !isTrusted))
        const who = `${hasFactor ? 'with' : 'without'} a factor, ${isTrusted ? 'trusted' : 'new'} device`
        test(`${name}, ${who}: ${asks ? 'pending until it is proven' : 'signed in'}`, async () => {
          const cell = await cellOf(hasFactor, isTrusted)
          await enter(cell)
          if (asks) await assertPending(cell)
          else assert.equal(await cell.browser.is(), cell.id)
          // A browser with a session does not use its device.
          await assertConfirms(cell, byDevice ? null : enter, hasFactor)
        })
      }
    }
  }

  test('registration signs in, with nothing to ask for', async () => {
    const { site } = await cellOf(false, false)
    const visitor = site.visitor()
    await visitor.post('/register', { email: `new${accounts}@example.com`, password })
    assert.notEqual(await visitor.is(), null)
    assert.equal(await visitor.sees('pending'), null)
  })

  test('where devices are not trusted, they are asked too, once, and stay devices', async (t) => {
    const own = opened(t, false)
    const cell = await cellOf(true, true, own)
    const { site, browser, factor, id } = cell
    assert.equal(await browser.is(), null)
    assert.equal(await browser.is(), null)
    const { challenge } = Object(await browser.sees('pending'))
    assert.equal(Object(await browser.sees('pending')).challenge, challenge)
    await browser.post('/factor/test', { code: factor.code(id) })
    assert.equal(await browser.is(), id)
    assert.equal((await site.trust.list(id)).length, 1)
    assert.equal(await browser.returns().is(), null)
  })

  test('of several that complete one sign-in at once one wins, on one device', async () => {
    const { site, browser, factor, email, id } = await cellOf(true, false)
    await browser.logsIn({ email, remember: '1' })
    site.meanwhile = barrier(4)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => {
        const body = new URLSearchParams({ code: factor.code(id) })
        return browser.send('/factor/test', { method: 'POST', body })
      }),
    )
    site.meanwhile = () => {}
    const [winner, ...others] = answers.filter(({ cookies }) => cookies.length > 0)
    assert.ok(winner !== undefined && others.length === 0)
    browser.keep(winner)
    assert.equal(await browser.is(), id)
    assert.equal((await site.sessions.list(id)).length, 1)
    assert.equal((await site.trust.list(id)).length, 1)
    const { rows } = (await site.activity?.list(id)) ?? {}
    assert.deepEqual(
      rows?.map(({ event, method }) => [event, method]),
      [
        ['login', 'password+test'],
        ['factor_asked', 'password'],
      ],
    )
  })

  test('a pending sign-in is over after ten minutes', async () => {
    const { site, browser, factor, email, id } = await cellOf(true, false)
    await browser.logsIn({ email })
    site.clock.now += 600
    const late = await browser.post('/factor/test', { code: factor.code(id) })
    assert.equal(late.headers['location'], '/login')
    assert.equal(await browser.is(), null)
  })

  test('another password voids a pending sign-in, also one that is just being completed', async () => {
    const { site, browser, factor, email, id } = await cellOf(true, false)
    await browser.logsIn({ email })
    const kept = browser.copy()
    assert.ok(await site.credentials.change(id, 'a brighter idea', { keep: null }))
    const ended = await browser.post('/factor/test', { code: factor.code(id) })
    assert.equal(ended.headers['location'], '/login')
    assert.equal(await kept.is(), null)
    await browser.logsIn({ email, password: 'a brighter idea' })
    site.meanwhile = () => site.credentials.change(id, 'a third one', { keep: null })
    await browser.post('/factor/test', { code: factor.code(id) })
    site.meanwhile = () => {}
    assert.equal(await browser.is(), null)
    assert.deepEqual(await site.sessions.list(id), [])
  })

  test('a pending sign-in ends with the sessions of its account', async () => {
    const { site, browser, factor, email, id } = await cellOf(true, false)
    await browser.logsIn({ email })
    await site.credentials.endOthers(id, { keep: null, device: null })
    const ended = await browser.post('/factor/test', { code: factor.code(id) })
    assert.equal(ended.headers['location'], '/login')
    assert.equal(await browser.is(), null)
  })

  test('a code of somebody else, a used one and an unknown factor complete nothing', async () => {
    const { site, browser, factor, email, id } = await cellOf(true, false)
    await browser.logsIn({ email })
    const code = factor.code(id)
    for (const [path, given] of [
      ['/factor/test', factor.code('1')],
      ['/factor/password', password],
      ['/factor/test', ''],
    ] as const) {
      const refused = await browser.post(path, { code: given, password: given })
      assert.equal(refused.headers['location'], '/code')
    }
    assert.equal(await browser.is(), null)
    await browser.post('/factor/test', { code })
    assert.equal(await browser.is(), id)
    const other = site.visitor()
    await other.logsIn({ email })
    await other.post('/factor/test', { code })
    assert.equal(await other.is(), null)
  })

  test('a new factor ends every other session and device, and what is asked for follows', async () => {
    const cell = await cellOf(false, true)
    const { site, browser, email, id } = cell
    await browser.is()
    const other = await site.signedIn({ email, remember: '1' })
    const device = String(await browser.sees('device'))
    const own = (await site.sessions.list(id)).find((session) => session.device === device)
    const keep = await site.sessions.digestOf(id, own?.handle ?? '')
    const refused = async (transaction: Transaction): Promise<null> => {
      await new Users(transaction, new Password()).confirm(id)
      return null
    }
    assert.equal(await site.credentials.changeFactor(id, 'test', refused, { keep, device }), false)
    assert.equal((await site.users.find(id))?.verified, false, 'what the work did is undone')
    const nobody = { keep: null, device: null }
    assert.equal(await site.credentials.changeFactor('999', 'test', refused, nobody), false)
    assert.deepEqual([await browser.is(), await other.is()], [id, id])
    const added = async (): Promise<'added'> => 'added'
    const ended = { keep: '0'.repeat(64), device }
    const late = site.credentials.changeFactor(id, 'test', added, ended)
    await assert.rejects(late, { code: 'E_SESSION_ENDED' })
    assert.deepEqual([await browser.is(), await other.is()], [id, id], 'whoever asked has ended')
    assert.equal(await site.credentials.changeFactor(id, 'test', added, { keep, device }), true)
    assert.deepEqual([await browser.is(), await other.is()], [id, null])
    assert.equal(await browser.returns().is(), id)
    const stranger = site.visitor()
    await stranger.ask('/account', { headers: { accept: 'text/html' } })
    await stranger.logsIn({ email })
    await assertPending({ ...cell, browser: stranger })
    assert.deepEqual(site.told.filter((one) => one === 'FactorAdded').length, 1)
  })

  test('a factor that is added while somebody signs in undoes the sign-in', async () => {
    const { site, browser, email, id } = await cellOf(false, false)
    const added = async (): Promise<'added'> => 'added'
    const nobody = { keep: null, device: null }
    site.meanwhile = () => site.credentials.changeFactor(id, 'test', added, nobody)
    await browser.logsIn({ email, remember: '1' })
    site.meanwhile = () => {}
    assert.equal(await browser.is(), null)
    assert.deepEqual([await site.sessions.list(id), await site.trust.list(id)], [[], []])
  })

  async function assertPending({ site, browser, factor, id }: Cell): Promise<void> {
    assert.equal(await browser.is(), null, 'guards see a guest')
    assert.deepEqual(Object(await browser.sees('pending')).id, id)
    for (const [path, fields] of [
      ['/secret', {}],
      ['/confirm/password', { password }],
    ] as const) {
      const body = new URLSearchParams(fields)
      const refused = await browser.ask(path, { ...page, method: 'POST', body })
      assert.equal(refused.headers['location'], '/login', 'nobody is signed in who could confirm')
    }
    const logins = site.told.filter((one) => one === 'Login').length
    const planted = browser.copy()
    const before = await browser.sees('pending')
    await browser.post('/factor/test', { code: 'no such code' })
    assert.deepEqual(await browser.sees('pending'), before, 'a wrong code changes nothing')
    const { headers } = await browser.post('/factor/test', { code: factor.code(id) })
    assert.equal(headers['location'], '/account', 'the page that was asked for')
    assert.equal(await browser.is(), id)
    assert.equal(await planted.is(), null, 'the session has another id')
    assert.equal(site.told.filter((one) => one === 'Login').length, logins + 1)
  }

  /** Coming in confirms nothing; confirming does, for a while, until somebody comes in `again`. */
  async function assertConfirms(
    cell: Cell,
    again: ((cell: Cell) => Promise<unknown>) | null,
    hasFactor: boolean,
  ): Promise<void> {
    const { site, browser, factor, id } = cell
    // With a factor the password is not enough.
    const prove = () =>
      hasFactor
        ? browser.post('/confirm/test', { code: factor.code(id) })
        : browser.post('/confirm/password', { password })
    const asked = await browser.ask('/secret', page)
    assert.deepEqual([asked.status, asked.headers['location']], [303, '/confirm'])
    const stolen = browser.copy('session')
    assert.equal((await browser.post('/confirm/password', { password: 'wrong' })).status, 303)
    assert.equal((await browser.ask('/secret', page)).status, 303)
    if (hasFactor) {
      const refused = await browser.post('/confirm/password', { password })
      assert.equal(refused.headers['location'], '/confirm')
      assert.equal((await browser.ask('/secret', page)).status, 303)
    }
    const back = await prove()
    assert.equal(back.headers['location'], '/secret')
    assert.equal((await browser.ask('/secret', page)).text, 'secret')
    assert.equal((await stolen.ask('/secret', page)).headers['location'], '/login')
    site.clock.now += 901
    assert.equal((await browser.ask('/secret', page)).status, 303)
    await prove()
    if (again !== null) {
      await again(cell)
      if (hasFactor) await browser.post('/factor/test', { code: factor.code(id) })
      assert.equal(await browser.is(), id)
      assert.equal((await browser.ask('/secret', page)).status, 303, 'nothing is kept')
      await prove()
    }
    assert.equal((await browser.ask('/secret', page)).text, 'secret')
    // Not every way in leaves a device.
    if ((await browser.returns().is()) !== id) return
    assert.equal(
      (await browser.ask('/secret', page)).status,
      303,
      'a revived session inherits nothing',
    )
  }
})
