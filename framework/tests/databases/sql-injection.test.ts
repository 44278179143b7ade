import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Database } from '../../src/data/database/surface.ts'
import { integer, key, text } from '../../src/data/repository/column.ts'
import { entity } from '../../src/data/repository/entity.ts'
import type { Condition } from '../../src/data/sql/condition.ts'
import { compileCount } from '../../src/data/sql/compile-count.ts'
import { compileDelete } from '../../src/data/sql/compile-delete.ts'
import { compileInsert } from '../../src/data/sql/compile-insert.ts'
import { compileSelect } from '../../src/data/sql/compile-select.ts'
import { compileUpdate } from '../../src/data/sql/compile-update.ts'
import { dialects } from '../../src/data/sql/dialect.ts'
import { keysetBinding } from '../../src/data/sql/keyset.ts'
import { Matches, Operators, Orders } from '../../src/data/sql/operators.ts'
import { sql } from '../../src/data/sql/statement.ts'
import { by, compare, match, planOf } from '../support/sample-plans.ts'
import { createTable, insertRows, readRows } from '../support/sample-tables.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

// Names that end a quoted name of every database, were they not quoted well.
const Nasty = entity('po"st`s; DROP TABLE victims; -- x', {
  id: key.integer(),
  title: text('ti"tle`) FROM victims; DROP TABLE victims; -- x'),
  views: integer("vi'ews ? $1 /*"),
})
const Victims = entity('victims', { id: key.integer(), name: text() })

const attacks = [
  "'; DROP TABLE victims; -- ",
  "' OR '1'='1",
  "\\'; DROP TABLE victims; -- ",
  '"; DROP TABLE victims; -- ',
  '`; DROP TABLE victims; -- ',
  "x' UNION SELECT id, name, id FROM victims -- ",
  '%',
  '_',
  '!',
  '\\',
  "'",
  "''",
  '$1',
  '?',
  '${1}',
  '/*',
  '*/ OR 1=1 -- ',
  '\u02bc OR 1=1',
  '\u{ff07} OR 1=1',
  '; SELECT pg_sleep(10)',
  'NULL',
  'title',
]

onEveryDatabase((name, open) => {
  const dialect = dialects[name]
  const title = Nasty.column('title')
  let database: Database
  before(async () => {
    database = await open()
    await createTable(database, Nasty)
    await createTable(database, Victims)
    await insertRows(database, Victims, ['name'], [['safe']])
    await insertRows(
      database,
      Nasty,
      ['title', 'views'],
      attacks.map((attack, at) => [attack, at]),
    )
  })

  test('names are nothing but names, and texts come back as they went in', async () => {
    const orderings = [by('views', Orders.Asc, null, Nasty)]
    const plan = planOf(Nasty, { columns: [title], orderings })
    const rows = await readRows(database, compileSelect(plan, dialect), plan.columns)
    assert.deepEqual(rows.flat(), attacks)
  })

  for (const [at, attack] of attacks.entries()) {
    test(`${JSON.stringify(attack)} is a text wherever it stands`, async () => {
      const own = [at + 1]
      assert.deepEqual(await ids(compare('title', Operators.Equal, attack, Nasty)), own)
      assert.deepEqual(await ids(compare('title', Operators.In, [attack], Nasty)), own)
      assert.deepEqual(await ids(compare('title', Operators.Between, [attack, attack], Nasty)), own)
      assert.deepEqual(
        await ids({ type: 'handwritten', statement: sql`${sql.name(title.name)} = ${attack}` }),
        own,
      )
      const containing = attacks.flatMap((other, row) => (other.includes(attack) ? [row + 1] : []))
      assert.deepEqual(await ids(match('title', Matches.Contains, attack, Nasty)), containing)
      const beginning = attacks.flatMap((other, row) => (other.startsWith(attack) ? [row + 1] : []))
      assert.deepEqual(await ids(match('title', Matches.StartsWith, attack, Nasty)), beginning)
      const ending = attacks.flatMap((other, row) => (other.endsWith(attack) ? [row + 1] : []))
      assert.deepEqual(await ids(match('title', Matches.EndsWith, attack, Nasty)), ending)
    })
  }

  test('a position in a cursor is a value', async () => {
    for (const order of [Orders.Asc, Orders.Desc]) {
      const orderings = [by('title', order, null, Nasty), by('id', Orders.Asc, null, Nasty)]
      const all = await readRows(
        database,
        compileSelect(planOf(Nasty, { orderings }), dialect),
        Nasty.columns,
      )
      for (const [at, [id, text]] of all.entries()) {
        const values = [keysetBinding(title, text, dialect), keysetBinding(Nasty.key, id, dialect)]
        const plan = planOf(Nasty, { orderings, seek: { orderings, values }, limit: 5 })
        const page = await readRows(database, compileSelect(plan, dialect), Nasty.columns)
        assert.deepEqual(page, all.slice(at + 1, at + 6))
      }
    }
  })

  test('writes store an attack and change nothing else', async () => {
    const columns = [Nasty.column('title'), Nasty.column('views')]
    const rows = attacks.map((attack) => [attack, 999])
    const { table } = Nasty
    const returning = [Nasty.column('title')]
    const query = compileInsert({ table, columns, rows, conflict: null, returning }, dialect)
    assert.deepEqual((await readRows(database, query, returning)).flat(), attacks)
    const conditions = [compare('views', Operators.Equal, 999, Nasty)]
    const changes = [{ column: title, value: attacks[0] }]
    const update = compileUpdate({ table, changes, conditions, returning: [] }, dialect)
    assert.equal((await database.run(update)).affected > 0, true)
    const gone = await readRows(
      database,
      compileDelete({ table, conditions, returning }, dialect),
      returning,
    )
    assert.deepEqual(
      gone.flat(),
      attacks.map(() => attacks[0]),
    )
  })

  test('afterwards every table is what it was', async () => {
    const victims = planOf(Victims, { columns: [Victims.column('name')] })
    assert.deepEqual(await readRows(database, compileSelect(victims, dialect), victims.columns), [
      ['safe'],
    ])
    const [count] = await database.rows(compileCount(planOf(Nasty), dialect))
    assert.equal(Number(count?.['total']), attacks.length)
  })

  async function ids(condition: Condition): Promise<unknown[]> {
    const orderings = [by('id', Orders.Asc, null, Nasty)]
    const plan = planOf(Nasty, { columns: [Nasty.key], conditions: [condition], orderings })
    return (await readRows(database, compileSelect(plan, dialect), [Nasty.key])).flat()
  }
})
