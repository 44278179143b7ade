import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { dialects } from '../../tests/support/dialects.ts'
import { RecordingSurface } from '../../tests/support/recording-surface.ts'
import { connect } from './connect.ts'
import { sql } from './sql/plan/statement.ts'
import { ExpiringTable } from './expiring-table.ts'

async function notes(t: TestContext, rows: number): Promise<RecordingSurface> {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await database.run(sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, expires INTEGER NOT NULL)`)
  for (let at = 0; at < rows; at += 500) {
    const values = Array.from({ length: 500 }, (_, index) => sql`(${at + index}, ${at + index})`)
    await database.run(sql`INSERT INTO notes (id, expires) VALUES ${sql.list(values)}`)
  }
  return new RecordingSurface(database)
}

test('a sweep drops what is over in batches of a thousand, and counts it', async (t) => {
  const surface = await notes(t, 2_500)
  const table = new ExpiringTable(surface, 'notes', 'id')
  assert.equal(await table.sweep(sql`expires < ${2_100}`), 2_100)
  assert.equal(surface.flushes.length, 3)
  assert.equal(await table.drop(sql`expires >= ${0}`), 400)
})

test('a sweep that ends with a full batch looks once more', async (t) => {
  const surface = await notes(t, 1_000)
  const table = new ExpiringTable(surface, 'notes', 'id')
  assert.equal(await table.sweep(sql`expires >= ${0}`), 1_000)
  assert.equal(surface.flushes.length, 2)
})

test('one batch leaves the rest', async (t) => {
  const surface = await notes(t, 1_500)
  const table = new ExpiringTable(surface, 'notes', 'id')
  assert.equal(await table.sweepBatch(sql`expires >= ${0}`), 1_000)
  assert.deepEqual(await table.rows(sql`SELECT count(*) AS left FROM ${table.name}`), [
    { left: 500 },
  ])
})

test('a bounded delete goes by keys, asked twice, where a DELETE has no limit', () => {
  const rows = {
    table: sql.name('notes'),
    key: sql.name('id'),
    condition: sql`expires <= ${7}`,
    limit: 5,
  }
  const byKeys =
    'DELETE FROM "notes" WHERE expires <= ? AND "id" IN (SELECT "id" FROM "notes" WHERE expires <= ? LIMIT ?)'
  const { sqlite, postgres, mariadb } = dialects
  assert.deepEqual(sqlite.deleteSome(rows).compile(sqlite), {
    sql: byKeys,
    parameters: [7, 7, 5],
  })
  let place = 0
  assert.deepEqual(postgres.deleteSome(rows).compile(postgres), {
    sql: byKeys.replaceAll('?', () => `$${(place += 1)}`),
    parameters: [7, 7, 5],
  })
  assert.deepEqual(mariadb.deleteSome(rows).compile(mariadb), {
    sql: 'DELETE FROM `notes` WHERE expires <= ? LIMIT ?',
    parameters: [7, 5],
  })
})
