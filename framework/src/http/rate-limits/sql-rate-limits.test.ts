import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { RecordingSurface } from '../../../tests/support/recording-surface.ts'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { connect } from '../../database/connect.ts'
import { DatabaseError } from '../../database/database-error.ts'
import { failedOperation } from '../../database/operation.ts'
import type { Operation } from '../../database/operation.ts'
import type { Surface } from '../../database/surface.ts'
import { Schema } from '../../migrations/schema.ts'
import type { Query } from '../../database/sql/plan/query.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { RateRule } from './rate-limit-store.ts'
import { createRateLimitsTable } from './rate-limits-table.ts'
import { SqlRateLimits } from './sql-rate-limits.ts'

const rule: RateRule = { limit: 100_000, window: 60, algorithm: 'fixed' }

test('hits sweep expired counters slice by slice, so that the table does not grow forever', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await createRateLimitsTable(new Schema(database), 'limits')
  const store = new SqlRateLimits(database, { table: 'limits' })
  const digest = (name: string): string => hash('sha256', name, 'hex')
  for (let name = 0; name < 64; name += 1) await store.hit(digest(`${name}`), rule, 1000)
  for (let hit = 64; hit < 256 * 100; hit += 1) await store.hit(digest('busy'), rule, 1100)
  assert.deepEqual(await database.rows(sql`SELECT count(*) AS n FROM limits`), [{ n: 1 }])
})

test('on SQLite hits of one turn are counted one by one, in one transaction', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await createRateLimitsTable(new Schema(database))
  const transaction = t.mock.method(database, 'transaction')
  const store = new SqlRateLimits(database)
  const digest = hash('sha256', 'a', 'hex')
  const few = { ...rule, limit: 3 }
  const verdicts = await Promise.all(
    Array.from({ length: 5 }, async () => store.hit(digest, few, 1000)),
  )
  assert.deepEqual(
    verdicts.map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ],
  )
  assert.equal(transaction.mock.callCount(), 1)
})

/** A database that ends the first statements in favour of others. */
class Contested extends RecordingSurface {
  readonly #times: number

  constructor(below: Surface, times: number) {
    super(below)
    this.#times = times
  }

  override dispatch(query: Query): Operation {
    const operation = super.dispatch(query)
    if (this.flushes.length > this.#times) return operation
    return failedOperation(query, new DatabaseError('E_DEADLOCK', 'ended in favour of another'))
  }
}

test('a hit that the database ended in favour of another is counted again, not for ever', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await createRateLimitsTable(new Schema(database))
  const reported: Error[] = []
  const throwables = createThrowables()
  throwables.reporters.push((error) => reported.push(error))
  const digest = hash('sha256', 'a', 'hex')
  const sometimes = new Contested(database, 4)
  const verdict = await new SqlRateLimits(sometimes, { throwables }).hit(digest, rule, 1000)
  assert.deepEqual([verdict.allowed, sometimes.flushes.length, reported.length], [true, 5, 0])
  const always = new Contested(database, Infinity)
  await new SqlRateLimits(always, { throwables }).hit(digest, rule, 1000)
  assert.deepEqual([always.flushes.length, reported.length], [5, 1])
})
