import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { AccountActivity, createActivityTable } from '../../src/accounts/account-activity.ts'
import type { AccountActivityOptions } from '../../src/accounts/account-activity.ts'
import type { AuthEventName } from '../../src/accounts/auth-events.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { Tokens } from '../../src/accounts/tokens/tokens.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { AuthSite } from '../conformance/auth-site.ts'
import { password } from '../conformance/auth-visitor.ts'
import { TestFactor } from '../support/test-factor.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const day = 86_400
const firefox = { agent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0', peer: '192.0.2.17' }

onEveryDatabase((_, open) => {
  async function opened(t: TestContext, options: AccountActivityOptions = {}) {
    const database = await open(t)
    await database.transaction((transaction) => createActivityTable(new Schema(transaction)))
    const clock = { now: 1_700_000_000 }
    const activity = new AccountActivity(database, {
      clock: () => clock.now,
      random: () => 1,
      ...options,
    })
    return { database, activity, clock }
  }

  const events = async (activity: AccountActivity | null, user: string): Promise<string[]> =>
    ((await activity?.list(user))?.rows ?? []).map(({ event, method }) =>
      method === null ? event : `${event} ${method}`,
    )

  test('a row holds what happened, how, where and who did it, and nothing else of the client', async (t) => {
    const { activity, clock } = await opened(t)
    const entry = { user: '7', event: 'FactorAdded', method: 'totp', request: 'r-1' } as const
    await activity.record({ ...entry, ...firefox })
    await activity.record({
      user: '7',
      event: 'Ended',
      actor: 'operator',
      peer: '2001:db8:85a3:8d3::1',
    })
    await activity.record({
      user: '8',
      event: 'Login',
      agent: 'x'.repeat(999),
      method: 'y'.repeat(99),
    })
    const at = clock.now
    assert.deepEqual(await activity.list('7'), {
      rows: [
        {
          event: 'ended',
          method: null,
          agent: '',
          network: '2001:db8:85a3::/48',
          request: null,
          actor: 'operator',
          at,
        },
        {
          event: 'factor_added',
          method: 'totp',
          agent: firefox.agent,
          network: '192.0.2.0/24',
          request: 'r-1',
          actor: '7',
          at,
        },
      ],
      next: null,
    })
    const [row] = (await activity.list('8')).rows
    assert.deepEqual([row?.agent.length, row?.method?.length], [255, 64])
  })

  test('a list is walked by cursor, without gaps or repetitions, while rows are added', async (t) => {
    const { activity } = await opened(t)
    for (let round = 0; round < 7; round += 1) {
      await activity.record({ user: '7', event: 'Login', method: String(round) })
      await activity.record({ user: '8', event: 'Login' })
    }
    const seen: (string | null)[] = []
    let cursor: string | null = null
    do {
      const page = await activity.list('7', { cursor, limit: 3 })
      seen.push(...page.rows.map(({ method }) => method))
      cursor = page.next
      await activity.record({ user: '7', event: 'Logout' })
    } while (cursor !== null)
    assert.deepEqual(seen, ['6', '5', '4', '3', '2', '1', '0'])
    for (const odd of ['', 'x', '7', 'WyIxIl0', 'WzEuNV0']) {
      await assert.rejects(activity.list('7', { cursor: odd }), {
        name: 'InvalidArgumentException',
      })
    }
    for (const limit of [0, 101, 1.5]) {
      await assert.rejects(activity.list('7', { limit }), { name: 'InvalidArgumentException' })
    }
  })

  test('a device is new until it has signed in, and again after 90 days', async (t) => {
    const { activity, clock } = await opened(t)
    const login = { user: '7', event: 'Login', ...firefox } as const
    assert.equal(await activity.isNewDevice(login), false, 'of this account nothing is known')
    await activity.record({
      user: '7',
      event: 'Registered',
      agent: 'curl/8.5.0',
      peer: firefox.peer,
    })
    assert.equal(await activity.isNewDevice(login), true)
    await activity.record({ ...login, event: 'Failed' })
    assert.equal(await activity.isNewDevice(login), true, 'a refusal shows no owner')
    await activity.record(login)
    assert.equal(await activity.isNewDevice(login), false)
    const updated = firefox.agent.replace('140.0', '141.2')
    assert.equal(await activity.isNewDevice({ ...login, agent: updated }), false)
    assert.equal(await activity.isNewDevice({ ...login, peer: '192.0.2.99' }), false)
    assert.equal(await activity.isNewDevice({ ...login, peer: '198.51.100.1' }), true)
    assert.equal(
      await activity.isNewDevice({ ...login, agent: 'Mozilla/5.0 (iPhone) Safari' }),
      true,
    )
    clock.now += 90 * day - 1
    assert.equal(await activity.isNewDevice(login), false)
    clock.now += 1
    assert.equal(await activity.isNewDevice(login), true)
  })

  test('rows go after a year, with their account, and above the limit of an account', async (t) => {
    const { activity, clock } = await opened(t, { limit: 5, random: () => 0 })
    for (let round = 0; round < 9; round += 1) {
      await activity.record({ user: '7', event: 'Login', method: String(round) })
    }
    await activity.record({ user: '8', event: 'Login' })
    assert.deepEqual(
      await events(activity, '7'),
      ['8', '7', '6', '5', '4'].map((n) => `login ${n}`),
    )
    clock.now += 100 * day
    await activity.record({ user: '8', event: 'Logout' })
    clock.now += 265 * day
    assert.equal(await activity.sweep(), 6)
    assert.deepEqual(await events(activity, '8'), ['logout'])
    assert.equal(await activity.forget('8'), 1)
    assert.deepEqual(await events(activity, '8'), [])
  })

  test('a row shares the fate of its transaction', async (t) => {
    const { database, activity } = await opened(t)
    const away = new Error('away')
    const undone = database.transaction(async (transaction) => {
      await activity.within(transaction).record({ user: '7', event: 'Changed' })
      throw away
    })
    await assert.rejects(undone, away)
    assert.deepEqual(await events(activity, '7'), [])
  })

  async function site(t: TestContext) {
    const factor = new TestFactor()
    const database = await open(t)
    const gate = { factors: [factor] }
    return { factor, site: await AuthSite.on(database, { load: true, activity: true, gate }) }
  }

  test('every event of an account leaves its row', async (t) => {
    const { site: office, factor } = await site(t)
    const { activity, credentials, users } = office
    const origin = { peer: firefox.peer, agent: firefox.agent, request: 'r-1' }
    const id = await users.enroll('eve@example.com', password, {
      alongside: (transaction, user) =>
        activity?.within(transaction).record({ user, event: 'Registered', ...origin }) ??
        Promise.resolve(),
    })
    assert.ok(id !== null && activity !== null)
    const tokens = new Tokens(office.database)
    const link = await tokens.mint(id, Purposes.Verification)
    assert.equal(await credentials.verifyEmail(link.value, origin), id)
    assert.equal(await credentials.verifyEmail(link.value, origin), null)
    const email = 'eve@example.com'
    const browser = await office.signedIn({ email, remember: '1' }, 'Phone')
    await browser.post('/confirm/password', { password: 'wrong' })
    await browser.post('/confirm/password', { password })
    const device = String(await browser.sees('device'))
    const keep = await office.sessions.digestOf(
      id,
      (await office.sessions.list(id))[0]?.handle ?? '',
    )
    await credentials.changeFactor(id, 'test', async () => 'added', { keep, device, ...origin })
    await credentials.changeFactor(id, 'test', async () => 'kept', { keep, device, ...origin })
    const other = office.visitor()
    await other.logsIn({ email })
    await other.post('/factor/test', { code: 'wrong' })
    await other.post('/factor/test', { code: factor.code(id) })
    await credentials.endOthers(id, { keep, device, ...origin })
    await other.logsIn({ email })
    await other.post('/factor/test', { code: factor.code(id) })
    const plain = (await office.sessions.list(id)).find((one) => one.device === null)
    const digest = (await office.sessions.digestOf(id, plain?.handle ?? '')) ?? ''
    assert.equal(await credentials.endSession(id, digest, { keep: null, ...origin }), true)
    assert.equal(await credentials.endSession(id, digest, { keep: null, ...origin }), false)
    assert.equal(await browser.returns().is(), id)
    assert.equal(await credentials.endDevice(id, device, { keep: null, ...origin }), true)
    assert.equal(await credentials.endDevice(id, device, { keep: null, ...origin }), false)
    assert.equal(await browser.is(), null)
    await credentials.changeFactor(id, 'test', async () => 'removed', { keep: null, device: null })
    const last = await office.signedIn({ email })
    await last.post('/logout')
    assert.equal(await credentials.change(id, 'a brighter idea', { keep: null, ...origin }), true)
    const recovery = await tokens.mint(id, Purposes.Recovery)
    assert.equal(await credentials.reset(recovery.value, password, origin), id)
    const { rows } = await activity.list(id, { limit: 100 })
    assert.deepEqual(
      rows.map(({ event, method }) => [event, method].filter((part) => part !== null).join(' ')),
      [
        'reset',
        'changed',
        'logout',
        'login password',
        'factor_removed test',
        'ended device',
        'revived device',
        'ended session',
        'login password+test',
        'factor_asked password',
        'ended others',
        'login password+test',
        'failed test',
        'factor_asked password',
        'factor_added test',
        'confirmed password',
        'failed password',
        'login password',
        'verified',
        'registered',
      ],
    )
    assert.equal(office.told.filter((one) => one === 'NewDevice').length, 2)
  })

  test('a theft leaves its row with the devices it drops, and nothing if the row cannot be', async (t) => {
    const { site: office } = await site(t)
    const ada = await office.signedIn({ remember: '1' })
    const stolen = ada.copy('remember')
    ada.returns()
    assert.equal(await ada.is(), '1')
    office.clock.now += 60
    assert.equal(await stolen.is(), null)
    assert.deepEqual(await events(office.activity, '1'), [
      'theft',
      'revived device',
      'login password',
    ])
    assert.deepEqual(await office.trust.list('1'), [])
  })

  test('if its row cannot be written, nothing is changed', async (t) => {
    const { site: office } = await site(t)
    const { credentials, users, database } = office
    const browser = await office.signedIn({ remember: '1' })
    const device = String(await browser.sees('device'))
    const link = await new Tokens(database).mint('1', Purposes.Verification)
    const recovery = await new Tokens(database).mint('1', Purposes.Recovery)
    await database.run({ sql: 'ALTER TABLE account_activity RENAME TO away', parameters: [] })
    const others = { keep: null, device: null }
    for (const change of [
      () => credentials.change('1', 'a brighter idea', { keep: null }),
      () => credentials.reset(recovery.value, 'a brighter idea'),
      () => credentials.verifyEmail(link.value),
      () => credentials.endOthers('1', others),
      () => credentials.endDevice('1', device, others),
      () => credentials.changeFactor('1', 'test', async () => 'added', others),
    ]) {
      await assert.rejects(change(), { name: 'DatabaseError' })
    }
    const refused = await users.enroll('eve@example.com', password, {
      alongside: (transaction, user) =>
        new AccountActivity(transaction).record({
          user,
          event: 'Registered' satisfies AuthEventName,
        }),
    })
    assert.equal(refused, null)
    assert.equal(await users.fetch('eve@example.com'), null)
    assert.equal(office.reported.length, 1)
    assert.deepEqual(await users.fetch('ada@example.com'), {
      id: '1',
      email: 'ada@example.com',
      verified: false,
    })
    assert.equal(await users.check('1', password), true)
    assert.equal((await office.trust.list('1')).length, 1)
    assert.equal(await browser.is(), '1')
  })
})
