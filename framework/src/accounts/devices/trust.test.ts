import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { SentStatements, verbs } from '../../../tests/databases/sent-statements.ts'
import { TokenStores, around, createTables } from '../../../tests/databases/token-stores.ts'
import { connect } from '../../database/connect.ts'
import { DatabaseError } from '../../database/database-error.ts'
import { Theft, Trust } from './trust.ts'
import { Token } from '../tokens/token.ts'

async function opened(t: TestContext, sent = new SentStatements()): Promise<TokenStores> {
  const database = await connect('sqlite::memory:', { log: sent.log })
  t.after(() => database.close())
  await createTables(database)
  return new TokenStores(database)
}

test('one conditional UPDATE decides a rotation, one DELETE a theft, and the grace period writes nothing', async (t) => {
  const sent = new SentStatements()
  const trust = (await opened(t, sent)).trust()
  const { value } = await trust.issue('7')
  const during = async (grace: number): Promise<readonly string[]> =>
    verbs(await sent.during(() => trust.rotate(value, 60, { grace })))
  assert.deepEqual(await during(0), ['SELECT', 'UPDATE'])
  assert.deepEqual(await during(5), ['SELECT'])
  assert.deepEqual(await during(0), ['SELECT', 'DELETE'])
  assert.deepEqual(await during(0), ['SELECT'])
})

test('forget sends the same statements for a wrong validator as for an unknown series', async (t) => {
  const sent = new SentStatements()
  const trust = (await opened(t, sent)).trust()
  const { selector } = await trust.issue('7')
  const wrong = await sent.during(() => trust.forget(`${selector}.${'0'.repeat(64)}`))
  const unknown = await sent.during(() => trust.forget(`${'0'.repeat(16)}.${'0'.repeat(64)}`))
  assert.deepEqual(verbs(wrong), ['SELECT'])
  assert.deepEqual(wrong, unknown)
})

test('a device ends 180 days after it was added, however often it is used', async (t) => {
  const stores = await opened(t)
  const trust = stores.trust()
  const day = 86_400
  const started = stores.clock.now
  const issued = await trust.issue('7')
  let { value } = issued
  for (let days = 20; days < 180; days += 20) {
    stores.clock.now = started + days * day
    const next = await trust.rotate(value)
    assert.ok(next instanceof Token)
    assert.equal(next.expires, started + Math.min(days + 30, 180) * day)
    value = next.value
  }
  stores.clock.now = started + 180 * day - 1
  assert.equal(await trust.isLive(issued.selector), true)
  stores.clock.now += 1
  assert.equal(await trust.rotate(value), null)
  assert.deepEqual(await trust.list('7'), [])
})

test('a shorter end applies to devices that were added before it', async (t) => {
  const stores = await opened(t)
  const { value } = await stores.trust().issue('7')
  stores.clock.now += 100
  const strict = new Trust(stores.database, { clock: () => stores.clock.now, maxAge: 100 })
  assert.equal(await strict.rotate(value), null)
  assert.deepEqual(await strict.list('7'), [])
  const { expires } = await strict.issue('7')
  assert.equal(expires, stores.clock.now + 100)
  assert.throws(() => new Trust(stores.database, { maxAge: 0 }), { code: 'E_INVALID_ARGUMENT' })
})

test('the user agent and address of a device are truncated to their columns', async (t) => {
  const trust = (await opened(t)).trust()
  const long = { agent: 'a'.repeat(300), peer: 'p'.repeat(100) }
  const issued = await trust.issue('7', 60, long)
  assert.ok((await trust.rotate(issued.value, 60, long)) instanceof Token)
  const [device] = await trust.list('7')
  assert.deepEqual([device?.agent, device?.peer], ['a'.repeat(255), 'p'.repeat(64)])
})

test('a rotation and a theft that were aborted by a deadlock are retried', async (t) => {
  const stores = await opened(t)
  const { value } = await stores.trust().issue('7')
  let statements = 0
  const stumbling = around(stores.database, (proceed) => {
    statements += 1
    const isLost = statements % 3 !== 0
    return isLost ? Promise.reject(new DatabaseError('E_DEADLOCK', 'planted')) : proceed()
  })
  assert.ok((await stores.trust(stumbling).rotate(value)) instanceof Token)
  assert.ok((await stores.trust(stumbling).rotate(value)) instanceof Theft)
  assert.deepEqual(stores.reported, [])
})
