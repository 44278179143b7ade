import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as fc from 'fast-check'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { integer, key, text } from '../../src/orm/entity/column.ts'
import { Counts, Modes, Pagination } from '../../src/orm/pagination/pagination.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Selection } from '../../src/orm/selection.ts'
import type { Condition } from '../../src/database/sql/plan/condition.ts'
import { compileCount, compileSelect } from '../../src/database/sql/write/compile-select.ts'
import { compileDelete } from '../../src/database/sql/write/compile-delete.ts'
import { compileInsert } from '../../src/database/sql/write/compile-insert.ts'
import { compileUpdate } from '../../src/database/sql/write/compile-update.ts'
import { dialects } from '../support/dialects.ts'
import { keysetBinding } from '../../src/database/sql/values/keyset.ts'
import { Matches, Nulls, Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { RecordingSurface } from '../support/recording-surface.ts'
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

// Whatever a query string, a body or a slip of the pen can put where a case of an enumeration
// belongs.
const oddWords = fc.oneof(
  fc.constantFrom(
    ...attacks,
    'ASC',
    'DESC',
    'Desc',
    'desc ',
    'asc; DROP TABLE victims',
    'FOR UPDATE',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'Asc', 'Equal'),
  fc.constantFrom(null, true, 0, 1, ['asc'], { toString: () => 'asc' }, Object('asc')),
  fc.string(),
  fc.object(),
)

const cases: ReadonlySet<unknown> = new Set([
  ...[Orders, Nulls, Operators, Matches, Counts, Modes].flatMap(Object.values),
  // How the operators are written in SQL.
  '=',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
])

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

  test('names are only names, and texts are returned unchanged', async () => {
    const orderings = [by('views', Orders.Asc, null, Nasty)]
    const plan = planOf(Nasty, { columns: [title], orderings })
    const rows = await readRows(database, compileSelect(plan, dialect), plan.columns)
    assert.deepEqual(rows.flat(), attacks)
  })

  for (const [at, attack] of attacks.entries()) {
    test(`${JSON.stringify(attack)} is a text wherever it is used`, async () => {
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

  test('a word outside its enumeration is rejected where it is given', async () => {
    const surface = new RecordingSurface(database)
    const schema = new Schema(surface)
    const select = (): Selection<typeof Nasty> => new Selection(Nasty, dialect)
    // What `Reflect.get` gives has no type, as what comes from a request has none.
    const entries: Readonly<Record<string, (odd: object) => unknown>> = {
      order: (odd) => select().order(Reflect.get(odd, 'word'), 'title'),
      nulls: (odd) => select().order(Orders.Asc, 'title', Reflect.get(odd, 'word')),
      filter: (odd) => select().filter('title', Reflect.get(odd, 'word'), 'x'),
      match: (odd) => select().match('title', Reflect.get(odd, 'word'), 'x'),
      either: (odd) => select().either((one) => one.filter('id', Reflect.get(odd, 'word'), 1)),
      lock: (odd) => select().lock(Reflect.get(odd, 'word')),
      seek: (odd) => select().seek([{ column: 'id', order: Reflect.get(odd, 'word') }], [1]),
      mode: (odd) => new Pagination({ mode: Reflect.get(odd, 'word') ?? 'none' }),
      count: (odd) => new Pagination({ count: Reflect.get(odd, 'word') }),
      onDelete: (odd) =>
        schema.createTable('odd', (table) => {
          table.references('victim', 'victims', { onDelete: Reflect.get(odd, 'word') })
        }),
      index: (odd) => schema.createIndex('victims', [['name', Reflect.get(odd, 'word')]]),
      isolation: (odd) =>
        database.transaction(() => undefined, { isolation: Reflect.get(odd, 'word') }),
      savepoint: (odd) =>
        database.transaction((outer) =>
          outer.transaction(() => undefined, { isolation: Reflect.get(odd, 'word') }),
        ),
    }
    const refusal = { name: 'InvalidArgumentException', message: /must be one of '[a-z-]+', / }
    await fc.assert(
      fc.asyncProperty(oddWords, async (word) => {
        if (cases.has(word)) return
        for (const [entry, give] of Object.entries(entries)) {
          await assert.rejects(async () => give({ word }), refusal, entry)
        }
      }),
      { numRuns: 60 },
    )
    assert.deepEqual(surface.flushes, [])
  })

  test('afterwards every table is unchanged', async () => {
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
