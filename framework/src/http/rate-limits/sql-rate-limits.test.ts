import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RecordingSurface } from '../../../tests/support/recording-surface.ts'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { connect } from '../../database/connect.ts'
import { DatabaseError } from '../../database/database-error.ts'
import { failedOperation } from '../../database/operation.ts'
import type { Operation } from '../../database/operation.ts'
import type { Surface, Database } from '../../database/surface.ts'
import { Schema } from '../../migrations/schema.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { RateRule } from './rate-limit-store.ts'
import { createRateLimitsTable, SqlRateLimits, BatchedStatements } from './sql-rate-limits.ts'

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

interface Opened {
  readonly database: Database
  readonly gathered: BatchedStatements
  /** The statements that were run, in order. */
  readonly texts: readonly string[]
}

async function opened(t: TestContext): Promise<Opened> {
  const texts: string[] = []
  const database = await connect('sqlite::memory:', { log: ({ sql }) => texts.push(sql) })
  t.after(() => database.close())
  await database.run({ sql: 'CREATE TABLE notes (text TEXT PRIMARY KEY)', parameters: [] })
  texts.length = 0
  return { database, gathered: new BatchedStatements(database), texts }
}

function note(text: string): Query {
  return { sql: 'INSERT INTO notes VALUES (?) RETURNING text', parameters: [text] }
}

test('statements of one turn are one transaction, and each gets its own answer', async (t) => {
  const { gathered, database, texts } = await opened(t)
  let transactions = 0
  const begin = database.transaction.bind(database)
  t.mock.method(database, 'transaction', (...work: Parameters<typeof begin>) => {
    transactions += 1
    return begin(...work)
  })
  const results = await Promise.all(['a', 'b', 'c'].map((text) => gathered.run(note(text))))
  assert.deepEqual(
    results.map(({ rows }) => rows),
    [[{ text: 'a' }], [{ text: 'b' }], [{ text: 'c' }]],
  )
  assert.deepEqual([transactions, texts.filter((sql) => sql === note('').sql).length], [1, 3])
})

test('a statement that comes alone is run without a transaction', async (t) => {
  const { gathered, texts } = await opened(t)
  await gathered.run(note('a'))
  await gathered.run(note('b'))
  assert.deepEqual(texts, [note('').sql, note('').sql])
})

test('when one fails, all of its turn fail and nothing of them is kept; the next turn works', async (t) => {
  const { gathered, database } = await opened(t)
  const outcomes = await Promise.allSettled([
    gathered.run(note('a')),
    gathered.run(note('a')),
    gathered.run(note('b')),
  ])
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof DatabaseError)
    assert.equal(outcome.reason.code, 'E_DUPLICATE_KEY')
  }
  await gathered.run(note('a'))
  const rows = await database.rows({ sql: 'SELECT text FROM notes', parameters: [] })
  assert.deepEqual(rows, [{ text: 'a' }])
})
