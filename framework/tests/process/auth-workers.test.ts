import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Trust } from '../../src/accounts/devices/trust.ts'
import { connectRedis } from '../../src/redis/connect-redis.ts'
import { RedisSessions } from '../../src/http/session/redis-sessions.ts'
import type { SessionStore } from '../../src/http/session/session-store.ts'
import { SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { onRedis } from '../support/test-redis.ts'
import { refusedFleet, startFleet } from './auth-fleet.ts'
import { authDatabase, email } from './auth-workers-database.ts'

/** Tests of two workers, for each session store. */
async function testFleet(t: TestContext, redis: string | null): Promise<void> {
  const opened = await authDatabase(t)
  const visitor = await startFleet(t, opened, redis === null ? {} : { redis })
  const trust = new Trust(opened.database)
  const store = redis === null ? new SqlSessions(opened.database) : await redisSessions(t, redis)
  const sessions = async (): Promise<number> => (await store.list('1')).length
  const current = 'the password after all that'

  await t.test('a password change or reset ends every other session at once', async () => {
    const [here, ...others] = Array.from({ length: 4 }, () => visitor())
    assert.ok(here !== undefined)
    for (const one of [here, ...others]) {
      await one.logsIn()
      assert.deepEqual(await one.statuses(), [200])
    }
    const changed = await here.ask('/password', { password: 'another long password' })
    assert.equal(await changed.json(), true)
    for (const one of others) assert.deepEqual(await one.statuses(), [303])
    assert.deepEqual(await here.statuses(), [200])
    assert.deepEqual(await trust.list('1'), [])

    const back = visitor()
    await back.logsIn('another long password')
    assert.deepEqual(await back.statuses(), [200])
    const token = await (await visitor().ask('/forgot', { email })).text()
    const reset = await visitor().ask('/reset', { token, password: current })
    assert.equal(await reset.json(), '1')
    for (const one of [here, back]) assert.deepEqual(await one.statuses(), [303])
  })

  await t.test('a copied device ends the live sessions on every worker too', async () => {
    const [owner, phone] = [visitor(), visitor()]
    for (const one of [owner, phone]) await one.logsIn(current)
    assert.deepEqual(await phone.statuses(), [200])
    const stale = owner.device()
    assert.equal((await owner.device().ask('/account')).status, 200)
    assert.equal((await stale.ask('/')).headers.getSetCookie().length, 1)
    for (const one of [owner, phone, stale]) assert.deepEqual(await one.statuses(), [303])
    assert.deepEqual(await trust.list('1'), [])
  })

  await t.test('four sign-ins from one session leave one session and one device', async () => {
    for (let round = 0; round < 3; round += 1) {
      const ada = visitor()
      await ada.logsIn(current)
      await ada.statuses()
      const sessionsBefore = await sessions()
      const tabs = await Promise.all(Array.from({ length: 4 }, () => ada.logsIn(current)))
      assert.deepEqual(
        new Set(tabs.map(({ headers }) => headers.get('location'))),
        new Set(['/account']),
      )
      const winners = tabs.filter(({ headers }) => headers.getSetCookie().length > 0)
      assert.equal(winners.length, 1)
      assert.deepEqual(await ada.statuses(), [200])
      assert.equal(await sessions(), sessionsBefore)
      assert.equal((await trust.list('1')).length, round + 1)
    }
  })

  await t.test('of those who sign in while the password is changed nobody stays', async () => {
    let typed = current
    for (let round = 0; round < 3; round += 1) {
      const owner = visitor()
      await owner.logsIn(typed)
      const next = `password number ${round}`
      const thieves = Array.from({ length: 8 }, () => visitor())
      const [changed] = await Promise.all([
        owner.ask('/password', { password: next }),
        ...thieves.map((thief) => thief.logsIn(typed)),
      ])
      assert.equal(await changed.json(), true)
      for (const thief of thieves) assert.deepEqual(await thief.statuses(), [303])
      assert.deepEqual(await trust.list('1'), [])
      assert.deepEqual(await owner.statuses(), [200])
      typed = next
    }
  })
}

async function redisSessions(t: TestContext, url: string): Promise<SessionStore> {
  const redis = await connectRedis(url)
  t.after(() => redis.close())
  return new RedisSessions(redis)
}

test('two workers with sessions in SQLite', (t) => testFleet(t, null))

onRedis((_open, server) => {
  test('two workers with sessions in Redis', (t) =>
    testFleet(t, withLongTimeouts(`${server().url}?prefix=auth-workers:${process.pid}:`)))
})

test('workers whose sessions follow another key than the guard do not start, and say why', async (t) => {
  const options = { key: 'member', identityKey: 'identity' }
  const errors = await refusedFleet(t, await authDatabase(t), options)
  assert.match(errors, /Remember stores accounts under "member", but Sessions indexes "identity"/)
  assert.match(errors, /E_WORKER_START/)
})
