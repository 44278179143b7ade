import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RecordingSurface } from '../../tests/support/recording-surface.ts'
import { connect } from '../database/connect.ts'
import { DatabaseError } from '../database/database-error.ts'
import type { DatabaseFailure } from '../database/database-error.ts'
import type { Result } from '../database/operation.ts'
import type { Database } from '../database/surface.ts'
import { Schema } from '../migrations/schema.ts'
import type { Query, Statement } from '../database/sql/plan/statement.ts'
import { createCacheTable, SqlCache } from './sql-cache.ts'

async function withTable(t: TestContext): Promise<Database> {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await database.transaction((transaction) => createCacheTable(new Schema(transaction)))
  return database
}

/** Fails this many times before it works. */
class FailingSurface extends RecordingSurface {
  failures: DatabaseFailure[] = []

  override async run(statement: Query | Statement): Promise<Result> {
    const code = this.failures.shift()
    if (code !== undefined) throw new DatabaseError(code, 'failed')
    return super.run(statement)
  }
}

test('a statement that was aborted by a deadlock is tried five times', async (t) => {
  const surface = new FailingSurface(await withTable(t))
  const store = new SqlCache(surface)
  const deadlocks = (times: number): void => {
    surface.failures = Array.from({ length: times }, () => 'E_DEADLOCK')
  }
  deadlocks(4)
  assert.equal(await store.increment('n', 1, 10), 1)
  deadlocks(5)
  await assert.rejects(store.increment('n', 1, 10), { code: 'E_DEADLOCK' })
  assert.equal(await store.get('n'), '1')
})

test('any other failure is thrown immediately', async (t) => {
  const surface = new FailingSurface(await withTable(t))
  surface.failures = ['E_CONNECTION_LOST']
  await assert.rejects(new SqlCache(surface).set('a', '1', 10), { code: 'E_CONNECTION_LOST' })
})

test('nothing is retried inside a transaction', async (t) => {
  const surface = new FailingSurface(await withTable(t), { transactional: true })
  surface.failures = ['E_DEADLOCK']
  await assert.rejects(new SqlCache(surface).delete('a'), { code: 'E_DEADLOCK' })
})

test('one in a thousand writes sweeps, at most one batch', async (t) => {
  const database = await withTable(t)
  const over = Array.from({ length: 1_500 }, (_, index) => `('over ${index}', 1)`)
  const sql = `INSERT INTO cache (name, expires_ms) VALUES ${over.join(', ')}`
  await database.run({ sql, parameters: [] })
  await new SqlCache(database, { random: () => 0 }).set('a', '1', 10)
  assert.equal(await new SqlCache(database).sweep(), 500)
})
