import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Trust } from '../../src/app/security/trust.ts'
import type { Database } from '../../src/data/database/surface.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { startServer } from '../support/start-server.ts'
import { onRedis } from '../support/test-redis.ts'
import { authDatabase, email, password } from './auth-workers-database.ts'

const script = join(import.meta.dirname, 'auth-workers-server.ts')

interface Fleet {
  readonly database: Database
  visitor(): FleetVisitor
}

/** Two workers on one database, whose sessions may be in Redis. */
async function startFleet(t: TestContext, redis: string | null): Promise<Fleet> {
  const { url, database } = await authDatabase(t)
  const { port } = await startServer(t, script, {
    database: url,
    workers: 2,
    ...(redis !== null && { redis }),
  })
  return { database, visitor: () => new FleetVisitor(`http://127.0.0.1:${port}`) }
}

/** A browser as far as cookies go. Each request has a connection of its own, so all workers get some. */
class FleetVisitor {
  readonly cookies = new Map<string, string>()
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  async ask(path: string, fields?: Readonly<Record<string, string>>): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(this.#origin + path, {
      redirect: 'manual',
      headers: { connection: 'close', cookie },
      ...(fields !== undefined && { method: 'POST', body: new URLSearchParams(fields) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (line.includes('; Max-Age=0;')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  logsIn(typed: string = password): Promise<Response> {
    return this.ask('/login', { email, password: typed })
  }

  /** The statuses of the guarded page, asked until every worker has answered. */
  async statuses(): Promise<readonly number[]> {
    const workers = new Set<string | null>()
    const statuses = new Set<number>()
    while (workers.size < 2) {
      const answer = await this.ask('/account')
      await answer.text()
      workers.add(answer.headers.get('x-pid'))
      statuses.add(answer.status)
    }
    return [...statuses]
  }
}

/** What two workers promise, wherever their sessions are. */
async function testFleet(t: TestContext, redis: string | null): Promise<void> {
  const fleet = await startFleet(t, redis)
  const current = 'the password after all that'

  await t.test('a password change or reset ends every other session at once', async () => {
    const [here, ...others] = Array.from({ length: 4 }, () => fleet.visitor())
    assert.ok(here !== undefined)
    for (const visitor of [here, ...others]) {
      await visitor.logsIn()
      assert.deepEqual(await visitor.statuses(), [200])
    }
    const changed = await here.ask('/password', { password: 'another long password' })
    assert.equal(await changed.json(), true)
    for (const visitor of others) assert.deepEqual(await visitor.statuses(), [303])
    assert.deepEqual(await here.statuses(), [200])
    assert.deepEqual(await new Trust(fleet.database).list('1'), [])

    const back = fleet.visitor()
    await back.logsIn('another long password')
    assert.deepEqual(await back.statuses(), [200])
    const token = await (await fleet.visitor().ask('/forgot', { email })).text()
    const reset = await fleet.visitor().ask('/reset', { token, password: current })
    assert.equal(await reset.json(), '1')
    for (const visitor of [here, back]) assert.deepEqual(await visitor.statuses(), [303])
  })

  await t.test('of those who sign in while the password is changed nobody stays', async () => {
    let typed = current
    for (let round = 0; round < 3; round += 1) {
      const owner = fleet.visitor()
      await owner.logsIn(typed)
      const next = `password number ${round}`
      const thieves = Array.from({ length: 8 }, () => fleet.visitor())
      const [changed] = await Promise.all([
        owner.ask('/password', { password: next }),
        ...thieves.map((thief) => thief.logsIn(typed)),
      ])
      assert.equal(await changed.json(), true)
      for (const thief of thieves) assert.deepEqual(await thief.statuses(), [303])
      assert.deepEqual(await new Trust(fleet.database).list('1'), [])
      assert.deepEqual(await owner.statuses(), [200])
      typed = next
    }
  })
}

test('two workers whose sessions are in SQLite', (t) => testFleet(t, null))

onRedis((_open, server) => {
  test('two workers whose sessions are in Redis', (t) =>
    testFleet(t, withLongTimeouts(`${server().url}?prefix=auth-workers:${process.pid}:`)))
})
