import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../database/connect.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { Database } from '../../database/surface.ts'
import type { Query } from '../../database/sql/plan/query.ts'
import { BatchedStatements } from './batched-statements.ts'

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
