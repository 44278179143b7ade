import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  someDigest,
  someRow,
  testStore,
  testSweep,
} from '../../../tests/databases/session-store-contract.ts'
import { connect } from '../../database/connect.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { DatabaseFailure } from '../../database/database-error.ts'
import type { QueryEntry } from '../../database/query-log.ts'
import type { Database, Surface } from '../../database/surface.ts'
import { Schema } from '../../migrations/schema.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { createSessionsTable, SqlSessions } from './sql-sessions.ts'

async function opened(
  t: TestContext,
  {
    table = 'sessions',
    log = () => {},
  }: { table?: string; log?: (entry: QueryEntry) => void } = {},
): Promise<Database> {
  const database = await connect('sqlite::memory:', { log })
  t.after(() => database.close())
  await database.transaction((transaction) => createSessionsTable(new Schema(transaction), table))
  return database
}

const open = async (t: TestContext): Promise<SqlSessions> => new SqlSessions(await opened(t))
describe('SqlSessions on SQLite', () => {
  testStore(open)
  testSweep(open)
})

test('on SQLite a session is read synchronously, without a promise', async (t) => {
  const store = await open(t)
  const digest = someDigest()
  await store.create(digest, someRow({ data: '{"a":1}', created: 5, used: 6 }))
  assert.deepEqual(store.read(digest), { data: '{"a":1}', revision: 1, created: 5, used: 6 })
  assert.equal(store.read(someDigest()), null)
})

test('a read is one select by key', async (t) => {
  const texts: string[] = []
  const database = await opened(t, { log: ({ sql: text }) => texts.push(text) })
  const store = new SqlSessions(database)
  texts.length = 0
  await store.read(someDigest())
  assert.equal(texts.length, 1)
  const [plan] = await database.rows({
    sql: `EXPLAIN QUERY PLAN ${texts[0]}`,
    parameters: [someDigest()],
  })
  assert.match(String(plan?.['detail']), /^SEARCH sessions USING INDEX \S+ \(digest=\?\)$/)
})

test('the table can have another name', async (t) => {
  const database = await opened(t, { table: 'visits' })
  const store = new SqlSessions(database, { table: 'visits' })
  const digest = someDigest()
  await store.create(digest, someRow())
  assert.notEqual(await store.read(digest), null)
})

test('in a transaction, ended sessions come back with a rollback', async (t) => {
  const database = await opened(t)
  const digest = someDigest()
  await new SqlSessions(database).create(digest, someRow({ identity: '7' }))
  await assert.rejects(
    database.transaction(async (transaction) => {
      assert.equal(await new SqlSessions(transaction).destroyOf('7', null), 1)
      throw new Error('the password was not changed')
    }),
  )
  assert.notEqual(await new SqlSessions(database).read(digest), null)
})

test('a sweep of thousands takes several statements, and other work comes between', async (t) => {
  const deletes: QueryEntry[] = []
  const log = (entry: QueryEntry): void => {
    if (entry.sql.startsWith('DELETE')) deletes.push(entry)
  }
  const database = await opened(t, { log })
  await database.run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2500)
    INSERT INTO sessions (digest, data, revision, agent, peer, created_at, used, expires)
    SELECT printf('%064d', i), '', 1, '', '', 0, 0, i FROM n`)
  assert.equal(await new SqlSessions(database).sweep(2400), 2400)
  assert.equal(deletes.length, 3)
  assert.deepEqual(await database.rows(sql`SELECT count(*) AS n FROM sessions`), [{ n: 100 }])
})

/** A surface on which statements fail so often before they work. */
function failing<S extends Surface>(surface: S, code: DatabaseFailure, times: number): S {
  let left = times
  const run: Surface['run'] = (statement) =>
    left-- > 0 ? Promise.reject(new DatabaseError(code, 'planted')) : surface.run(statement)
  return new Proxy(surface, {
    get: (target, name) => (name === 'run' ? run : Reflect.get(target, name, target)),
  })
}

test('a statement that the database ended in favour of another is tried again', async (t) => {
  const database = await opened(t)
  const digest = someDigest()
  await new SqlSessions(failing(database, 'E_DEADLOCK', 4)).create(digest, someRow())
  assert.notEqual(await new SqlSessions(database).read(digest), null)
  const never = new SqlSessions(failing(database, 'E_DEADLOCK', 5))
  await assert.rejects(never.create(someDigest(), someRow()), { code: 'E_DEADLOCK' })
  const broken = new SqlSessions(failing(database, 'E_DATABASE', 1))
  await assert.rejects(broken.create(someDigest(), someRow()), { code: 'E_DATABASE' })
})

test('inside a transaction it is not: the transaction is over, and its owner must know', async (t) => {
  const database = await opened(t)
  await database.transaction(async (transaction) => {
    const store = new SqlSessions(failing(transaction, 'E_DEADLOCK', 1))
    await assert.rejects(store.destroyOf('7', null), { code: 'E_DEADLOCK' })
  })
})
