import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ConfigurationError } from '../base/errors.ts'
import { connect } from './connect.ts'
import type { QueryEntry } from './query-log.ts'

const query = { sql: 'SELECT 1 AS one', parameters: [] }

test('an SQLite URL opens an SQLite database', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  assert.equal(database.dialect.name, 'sqlite')
  assert.equal(database.label, 'sqlite::memory:')
  assert.deepEqual(await database.rows(query), [{ one: 1 }])
})

test('the given log receives every statement', async (t) => {
  const entries: QueryEntry[] = []
  const database = await connect('sqlite::memory:', { log: (entry) => entries.push(entry) })
  t.after(() => database.close())
  await database.run(query)
  assert.deepEqual(
    entries.map(({ sql, rows }) => [sql, rows]),
    [[query.sql, 1]],
  )
})

test('an invalid URL is rejected before anything is opened', async () => {
  await assert.rejects(connect('sqlite:'), ConfigurationError)
  await assert.rejects(connect('sqlite:a.db?pool=none'), { code: 'E_DATABASE_URL' })
})
