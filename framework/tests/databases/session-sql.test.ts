import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import {
  createSessionsTable,
  createSubmissionsTable,
  SqlSessions,
} from '../../src/http/session/sql-sessions.ts'
import { SessionSite } from '../conformance/session-visitor.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import type { OpenDatabase } from '../support/test-databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { testRaces } from './session-races.ts'
import { testSubmissions } from './submission-rows-contract.ts'
import { someDigest, someRow, testStore, testSweep } from './session-store-contract.ts'

async function withTable(t: TestContext, open: OpenDatabase): Promise<Database> {
  const database = await open(t)
  await database.transaction((transaction) => createSessionsTable(new Schema(transaction)))
  return database
}

onEveryDatabase((name, open) => {
  const openStore = async (t: TestContext): Promise<SqlSessions> =>
    new SqlSessions(await withTable(t, open))
  testStore(openStore)
  testSubmissions(openStore)
  testSweep(openStore)
  testRaces(openStore)

  test('a migration from before submissions were rows of sessions still runs, in both directions', async (t) => {
    const database = await open(t)
    await database.transaction(async (transaction) => {
      await createSubmissionsTable(new Schema(transaction))
      await new Schema(transaction).dropTable('submissions')
    })
  })

  test('a visitor is recognised, and signed out by revoke', async (t) => {
    const site = new SessionSite(await openStore(t))
    const ada = site.visitor('Firefox')
    await ada.does((session) => {
      session.regenerate()
      session.set('identity', { id: '7', email: 'ada@example.com' })
      session.flash('message', 'Welcome back!')
    })
    assert.equal((await ada.does((session) => session.flash('message'))).outcome, 'Welcome back!')
    assert.deepEqual(await ada.sees('identity'), { id: '7', email: 'ada@example.com' })
    const [session] = await site.sessions.list('7')
    assert.equal(session?.agent, 'Firefox')
    assert.equal(await site.sessions.revoke('7'), 1)
    assert.equal(await ada.sees('identity'), null)
  })

  test('sessions expire by the clock of the application and are swept', async (t) => {
    const clock = { now: 1_000_000 }
    const site = new SessionSite(await openStore(t), { clock: () => clock.now })
    const ada = site.visitor()
    await ada.sets('identity', '7')
    clock.now += 7199
    assert.equal(await ada.sees('identity'), '7')
    const used = async (): Promise<unknown> => (await site.sessions.list('7'))[0]?.used
    await waitFor('the renewal', async () => (await used()) === clock.now)
    clock.now += 7199
    assert.equal(await ada.sees('identity'), '7', 'the read before has renewed it')
    clock.now += 7200
    assert.equal(await ada.sees('identity'), null)
    assert.equal(await site.sessions.sweep(), 1)
  })

  test('a password change ends the other sessions in its own transaction', async (t) => {
    const database = await withTable(t, open)
    const store = new SqlSessions(database)
    const site = new SessionSite(store)
    const [here, there] = [site.visitor(), site.visitor()]
    for (const visitor of [here, there]) await visitor.sets('identity', '7')
    const change = (isBroken: boolean) =>
      here.does((session) =>
        database.transaction(async (transaction) => {
          await new SqlSessions(transaction).destroyOf('7', session.digest)
          if (isBroken) throw new Error('planted')
        }),
      )
    assert.equal((await change(true)).answer.status, 500)
    assert.equal(await there.sees('identity'), '7')
    assert.equal((await change(false)).answer.status, 200)
    assert.deepEqual([await here.sees('identity'), await there.sees('identity')], ['7', null])
  })

  test('with nothing else to end, nobody waits for a transaction that needs the kept session', async (t) => {
    const database = await withTable(t, open)
    const store = new SqlSessions(database)
    const kept = someDigest()
    await store.create(kept, someRow({ identity: '7' }))
    await database.transaction(async (transaction) => {
      assert.equal(await new SqlSessions(transaction).isLive('7', kept), true)
      assert.equal(await store.destroyOf('7', kept), 0)
      assert.equal(await store.destroyOf('8', null), 0)
    })
    await store.create(someDigest(), someRow({ identity: '7' }))
    assert.equal(await store.destroyOf('7', kept), 1)
    assert.equal(await store.isLive('7', kept), true)
  })

  test('under weak isolation, too, no session escapes by being regenerated', async (t) => {
    const database = await withTable(t, open)
    const onTransaction = async (work: (store: SqlSessions) => Promise<unknown>): Promise<void> => {
      try {
        await database.transaction((transaction) => work(new SqlSessions(transaction)), {
          isolation: 'read-committed',
        })
      } catch (error) {
        // A deadlock is for the owner of the transaction to retry.
        if (!(error instanceof DatabaseError && error.code === 'E_DEADLOCK')) throw error
        await onTransaction(work)
      }
    }
    for (let round = 0; round < 40; round += 1) {
      const row = someRow({ identity: `user ${round}` })
      const digests = Array.from({ length: 9 }, someDigest)
      await onTransaction(async (store) => {
        for (const digest of digests) await store.create(digest, row)
      })
      const works: (() => Promise<unknown>)[] = digests.map(
        (digest) => () => onTransaction((store) => store.save(digest, 1, row, someDigest())),
      )
      works.splice(round % 9, 0, () =>
        onTransaction((store) => store.destroyOf(`user ${round}`, null)),
      )
      await Promise.all(works.map((work) => work()))
      assert.deepEqual(await new SqlSessions(database).list(`user ${round}`), [])
    }
  })

  test('no id is in the table or in the file', async (t) => {
    const database = await withTable(t, open)
    const site = new SessionSite(new SqlSessions(database))
    const ada = site.visitor()
    await ada.sets('identity', '7')
    const first = ada.id
    await ada.does((session) => session.regenerate())
    await ada.sets('a', 1)
    const rows = await database.rows(sql`SELECT * FROM sessions`)
    const stored = JSON.stringify(rows.map((row) => Object.values(row).map(String)))
    const file = name === 'sqlite' ? fileOf(database) : ''
    for (const id of [first, ada.id]) {
      const bytes = Buffer.from(id, 'base64url')
      assert.match(id, /^[\w-]{43}$/)
      for (const text of [id, bytes.toString('hex'), bytes.toString('base64')]) {
        assert.equal(stored.includes(text), false)
        assert.equal(file.includes(text), false)
      }
      assert.equal(file.includes(bytes.toString('latin1')), false)
    }
  })

  test('while the table is missing requests get a 503, and they work once it exists', async (t) => {
    const database = await open(t)
    const site = new SessionSite(new SqlSessions(database))
    const ada = site.visitor()
    const answer = await ada.sets('a', 'my secret')
    assert.deepEqual([answer.status, answer.cookies], [503, []])
    assert.doesNotMatch(String(Object(site.reported[0]).cause), /my secret/)
    await database.transaction((transaction) => createSessionsTable(new Schema(transaction)))
    await ada.sets('a', 1)
    assert.equal(await ada.sees('a'), 1)
  })
})

/** Everything SQLite has written, its log included. */
function fileOf({ label }: Database): string {
  const file = label.slice('sqlite:'.length)
  return [file, `${file}-wal`].map((path) => readFileSync(path, 'latin1')).join('')
}
