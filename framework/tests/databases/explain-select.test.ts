import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { explainSelect } from '../../src/database/explain-select.ts'
import type { Database } from '../../src/database/surface.ts'
import { dialects } from '../support/dialects.ts'
import { command } from '../support/sample-tables.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

// So many that an index is worth it.
const rows = 2_000

onEveryDatabase((name, open) => {
  const { placeholder } = dialects[name]
  const [first, second] = [placeholder(1), placeholder(2)]
  let database: Database
  const count = async (): Promise<number> =>
    Number(
      (await database.rows({ sql: 'SELECT count(*) AS n FROM pens', parameters: [] }))[0]?.['n'],
    )

  before(async () => {
    database = await open()
    await command(
      database,
      'CREATE TABLE pens (id INTEGER PRIMARY KEY, colour VARCHAR(40), price INTEGER)',
    )
    await command(database, 'CREATE INDEX coloured ON pens (colour)')
    const pens = Array.from(
      { length: rows },
      (_, at) => `(${at}, 'the colour number ${at}', ${at})`,
    )
    await command(database, `INSERT INTO pens VALUES ${pens.join(', ')}`)
    await command(database, name === 'mariadb' ? 'ANALYZE TABLE pens' : 'ANALYZE pens')
  })

  test('the plan of a SELECT with placeholders tells its index', async () => {
    const plan = await explainSelect(database, `SELECT id FROM pens WHERE colour = ${first}`)
    assert.match(plan.join('\n'), /coloured/)
  })

  test('a limit, several placeholders and a lock can be explained', async () => {
    const lock = dialects[name].locks.update
    const plan = await explainSelect(
      database,
      `SELECT * FROM pens WHERE price > ${first} AND colour <> 'a''?$9' LIMIT ${second}${lock};`,
    )
    assert.match(plan.join('\n'), /pens/)
  })

  test('a SELECT without placeholders too', async () => {
    const plan = await explainSelect(database, 'SELECT count(*) FROM pens')
    assert.ok(plan.length > 0)
  })

  test('anything but one SELECT is refused, and nothing is run', async () => {
    for (const text of [
      'DELETE FROM pens',
      'SELECT 1; DELETE FROM pens',
      'WITH gone AS (DELETE FROM pens RETURNING id) SELECT id FROM gone',
      'EXPLAIN ANALYZE DELETE FROM pens',
      '',
    ]) {
      await assert.rejects(explainSelect(database, text), { code: 'E_INVALID_ARGUMENT' })
    }
    assert.equal(await count(), rows)
  })

  test('a statement that the database does not understand is its error', async () => {
    await assert.rejects(explainSelect(database, 'SELECT nothing FROM nowhere'), {
      name: 'DatabaseError',
    })
    assert.equal(await count(), rows)
  })
})
