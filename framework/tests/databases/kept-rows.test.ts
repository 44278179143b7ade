import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { keepRows } from '../../src/testing/kept-rows.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

/** Tables that refer to each other, listed so that neither order of their names works by chance. */
async function fill(database: Database): Promise<void> {
  const statements = [
    sql`CREATE TABLE m_users (id INT PRIMARY KEY, name VARCHAR(20))`,
    sql`CREATE TABLE a_notes (id INT PRIMARY KEY, user_id INT NOT NULL, title VARCHAR(20),
      FOREIGN KEY (user_id) REFERENCES m_users (id))`,
    sql`CREATE TABLE z_tags (id INT PRIMARY KEY, note_id INT NOT NULL,
      FOREIGN KEY (note_id) REFERENCES a_notes (id))`,
    sql`CREATE TABLE b_empty (id INT PRIMARY KEY)`,
    sql`INSERT INTO m_users VALUES (1, 'Ada'), (2, 'Bob')`,
    sql`INSERT INTO a_notes VALUES (1, 1, 'Milk')`,
    sql`INSERT INTO z_tags VALUES (1, 1)`,
  ]
  for (const statement of statements) await database.run(statement)
}

async function rowsOf(database: Database): Promise<unknown[]> {
  const found: unknown[] = []
  for (const table of ['m_users', 'a_notes', 'z_tags', 'b_empty']) {
    const rows = await database.rows(sql`SELECT * FROM ${sql.name(table)} ORDER BY id`)
    found.push(rows.map((row) => Object.values(row)))
  }
  return found
}

onEveryDatabase((_name, open) => {
  test('rows that were changed, added and deleted are as before, each time', async (t) => {
    const database = await open(t)
    await fill(database)
    const before = await rowsOf(database)
    const rows = await keepRows(database)
    for (let times = 0; times < 2; times += 1) {
      await database.run(sql`DELETE FROM z_tags`)
      await database.run(sql`UPDATE a_notes SET title = 'Bread', user_id = 2`)
      await database.run(sql`DELETE FROM m_users WHERE id = 1`)
      await database.run(sql`INSERT INTO b_empty VALUES (7)`)
      assert.notDeepEqual(await rowsOf(database), before)
      await rows.restore()
      assert.deepEqual(await rowsOf(database), before)
    }
  })

  test('the copies can be dropped, and those of an earlier run are replaced', async (t) => {
    const database = await open(t)
    await fill(database)
    await keepRows(database)
    await database.run(sql`INSERT INTO m_users VALUES (3, 'Eve')`)
    const rows = await keepRows(database)
    const before = await rowsOf(database)
    await rows.restore()
    assert.deepEqual(await rowsOf(database), before)
    await rows.drop()
    const left = await database.rows(database.dialect.schema.listTables)
    assert.deepEqual(left.map(({ name }) => String(name)).toSorted(), [
      'a_notes',
      'b_empty',
      'm_users',
      'z_tags',
    ])
  })
})
