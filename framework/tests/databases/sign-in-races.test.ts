import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { RedisSessions } from '../../src/http/session/redis-sessions.ts'
import { AuthSite } from '../conformance/auth-site.ts'
import { password } from '../conformance/auth-visitor.ts'
import { barrier } from '../support/barrier.ts'
import { someKey } from '../support/some-key.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { onRedis } from '../support/test-redis.ts'

const form = { email: 'ada@example.com', password, remember: '1' }

/** The contract of concurrent sign-ins from several tabs. */
function testSignIns(open: (t: TestContext) => Promise<AuthSite>, from: string): void {
  test(`four concurrent sign-ins from one ${from} leave one session and one device`, async (t) => {
    const site = await open(t)
    for (let round = 0; round < 5; round += 1) {
      const ada = site.visitor()
      await ada.ask('/notes/first')
      site.meanwhile = barrier(4)
      const tabs = Array.from({ length: 4 }, () => send(ada, '/login', form))
      const answers = await Promise.all(tabs)
      site.meanwhile = () => {}
      for (const answer of answers) {
        assert.deepEqual([answer.status, answer.headers['location']], [303, '/account'])
        ada.keep(answer)
      }
      assert.equal(answers.filter(({ cookies }) => cookies.length > 0).length, 1)
      assert.equal((await site.sessions.list('1')).length, 1)
      assert.equal((await site.trust.list('1')).length, 1)
      assert.equal(await ada.is(), '1')
      assert.equal(await ada.returns().is(), '1', 'the device is the one that is left')
      await site.sessions.revoke('1')
      await site.trust.revoke('1')
    }
    const told = site.told.filter((name) => name === 'Login')
    assert.equal(told.length, 5)
  })

  test(`of a concurrent sign-in and sign-out one wins, and the other leaves nothing: ${from}`, async (t) => {
    const site = await open(t)
    for (let round = 0; round < 6; round += 1) {
      const ada = await site.signedIn({ remember: '1' })
      const wishes = [() => send(ada, '/login', form), () => send(ada, '/logout', {})]
      if (round % 2 === 1) wishes.reverse()
      site.meanwhile = barrier(2)
      const answers = await Promise.all(wishes.map((wish) => wish()))
      site.meanwhile = () => {}
      const [winner, ...others] = answers.filter(({ cookies }) => cookies.length > 0)
      assert.ok(winner !== undefined && others.length === 0)
      ada.keep(winner)
      const isIn = winner.headers['location'] === '/account'
      assert.equal(await ada.is(), isIn ? '1' : null)
      assert.equal((await site.sessions.list('1')).length, isIn ? 1 : 0)
      assert.equal((await site.trust.list('1')).length, isIn ? 1 : 0)
      await site.sessions.revoke('1')
      await site.trust.revoke('1')
    }
  })
}

function send(
  visitor: ReturnType<AuthSite['visitor']>,
  url: string,
  fields: Readonly<Record<string, string>>,
): ReturnType<typeof visitor.send> {
  return visitor.send(url, { method: 'POST', body: new URLSearchParams(fields) })
}

const modes = [
  ['session of the store', {}],
  ['guest with a cookie', { sessions: { key: someKey() } }],
] as const

onEveryDatabase((_name, open) => {
  for (const [from, options] of modes) {
    testSignIns(async (t) => AuthSite.on(await open(t), options), from)
  }
})

onRedis((open) => {
  for (const [from, options] of modes) {
    testSignIns(async (t) => {
      const database = await connect('sqlite::memory:')
      t.after(() => database.close())
      return AuthSite.on(database, { ...options, store: new RedisSessions(await open(t)) })
    }, from)
  }
})
