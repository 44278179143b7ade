import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Database } from '../../src/database/surface.ts'
import type { Condition } from '../../src/database/sql/plan/condition.ts'
import { compileSelect } from '../../src/database/sql/write/compile-select.ts'
import { dialects } from '../support/dialects.ts'
import { keysetBinding, keysetValue } from '../../src/database/sql/values/keyset.ts'
import { Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import type { SeekPosition, SelectPlan } from '../../src/database/sql/plan/select-plan.ts'
import { by, compare, Kinds, planOf } from '../support/sample-plans.ts'
import { command, createTable, insertRows, rawRows, readRows } from '../support/sample-tables.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const properties = Kinds.columns.slice(1).map(({ property }) => property)

const rows: readonly (readonly unknown[])[] = [
  [
    Number.MAX_SAFE_INTEGER % 2 ** 31,
    Number.MAX_SAFE_INTEGER,
    2n ** 63n - 1n,
    '9999999999999.99',
    0.1 + 0.2,
    true,
    "Zoë 🙂 'quoted' \\ %_!",
    '01980c5e-5c00-7000-8000-00000000000a',
    'live',
    '9999-12-31',
    '23:59:59',
    new Date('2026-01-31T12:00:00.123Z'),
    '2026-01-31 12:00:00.123456',
    { list: [1, null, 'é'], text: "it's" },
    new Uint8Array([0, 1, 254, 255]),
  ],
  [
    -(2 ** 31),
    Number.MIN_SAFE_INTEGER,
    -(2n ** 63n),
    '-0.01',
    -1.7976931348623157e308,
    false,
    '',
    '00000000-0000-0000-0000-000000000000',
    'draft',
    '0001-01-01',
    '00:00:00',
    new Date('1999-12-31T23:59:59.999Z'),
    '1999-12-31 23:59:59.999999',
    [],
    new Uint8Array(),
  ],
  [
    0,
    0,
    0n,
    '0.00',
    5e-324,
    false,
    ' ',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'live',
    '2024-02-29',
    '12:30:00',
    new Date(0),
    '1971-01-01 00:00:00.000001',
    'x',
    new Uint8Array([0]),
  ],
  [
    1,
    3e9,
    2n ** 53n + 1n,
    '0.10',
    3,
    true,
    'a',
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    'draft',
    '2026-01-31',
    '12:30:01',
    new Date(1),
    '2026-01-31 12:00:00.123457',
    5,
    new Uint8Array([1]),
  ],
]

onEveryDatabase((name, open) => {
  const dialect = dialects[name]
  let database: Database
  before(async () => {
    database = await open()
    await createTable(database, Kinds)
    await insertRows(database, Kinds, properties, rows)
    await insertRows(database, Kinds, ['whole'], [[null]])
  })

  test('a value of every kind is returned unchanged', async () => {
    const plan = planOf(Kinds, { orderings: [by('id', Orders.Asc, null, Kinds)] })
    const read = await readRows(database, compileSelect(plan, dialect), plan.columns)
    const nulls = properties.map(() => null)
    assert.deepEqual(
      read,
      [...rows, nulls].map((values, at) => [at + 1, values].flat()),
    )
  })

  for (const [at, property] of properties.entries()) {
    const { kind } = Kinds.column(property)
    if (kind === 'json') continue

    test(`a filter finds ${property} by its exact value and nothing else`, async () => {
      for (const [index, values] of rows.entries()) {
        const value = values[at]
        const same = rows.flatMap((other, row) => (equals(other[at], value) ? [row + 1] : []))
        assert.deepEqual(await ids([compare(property, Operators.Equal, value, Kinds)]), same)
        assert.deepEqual(await ids([compare(property, Operators.In, [value], Kinds)]), same)
        assert.deepEqual(
          await ids([compare(property, Operators.Between, [value, value], Kinds)]),
          same,
        )
        const others = rows.flatMap((_, row) => (same.includes(row + 1) ? [] : [row + 1]))
        assert.deepEqual(await ids([compare(property, Operators.Unequal, value, Kinds)]), others)
        assert.ok(same.includes(index + 1))
      }
    })

    if (kind === 'bytes') continue

    test(`a cursor contains ${property} to the last digit`, async () => {
      for (const [index, values] of rows.entries()) {
        const bound = await throughCursor(property, index + 1)
        const value = values[at]
        // Before and behind a value stands what is less and what is greater, never the value
        // itself.
        const behind = await ids([], seek(property, Orders.Asc, bound))
        const before = await ids([], seek(property, Orders.Desc, bound))
        assert.deepEqual(behind, await ids([compare(property, Operators.Greater, value, Kinds)]))
        assert.deepEqual(before, await ids([compare(property, Operators.Less, value, Kinds)]))
        const same = await ids([compare(property, Operators.Equal, value, Kinds)])
        assert.equal(behind.length + before.length + same.length, rows.length)
      }
    })
  }

  test('NULL is found by IsNull, and by no comparison', async () => {
    for (const property of properties) {
      assert.deepEqual(await ids([compare(property, Operators.IsNull, undefined, Kinds)]), [5])
      assert.deepEqual(
        await ids([compare(property, Operators.IsNotNull, undefined, Kinds)]),
        [1, 2, 3, 4],
      )
    }
    assert.deepEqual(await ids([compare('flag', Operators.IsTrue, undefined, Kinds)]), [1, 4])
    assert.deepEqual(await ids([compare('flag', Operators.IsFalse, undefined, Kinds)]), [2, 3])
  })

  test('a number too large for the column finds nothing and is not an error', async () => {
    assert.deepEqual(await ids([compare('whole', Operators.Equal, 2 ** 52, Kinds)]), [])
    assert.deepEqual(await ids([compare('whole', Operators.Less, 2 ** 52, Kinds)]), [1, 2, 3, 4])
  })

  if (name === 'sqlite') return

  test('decimals that are equal as doubles are distinguished', async () => {
    await command(database, 'CREATE TABLE wide (id INTEGER PRIMARY KEY, amount DECIMAL(40, 20))')
    const values = [
      '12345678901234567890.12345678901234567890',
      '12345678901234567890.12345678901234567891',
    ]
    for (const [at, value] of values.entries()) {
      await command(database, `INSERT INTO wide VALUES (${at}, ${value})`)
    }
    const amount = { ...Kinds.column('price'), name: 'amount', precision: 40, scale: 20 }
    const found = async (parts: Partial<SelectPlan>): Promise<unknown[]> => {
      const plan = { ...planOf(Kinds, { columns: [amount], ...parts }), table: 'wide' }
      return (await rawRows(database, compileSelect(plan, dialect))).flat()
    }
    for (const value of values) {
      const filter = { type: 'comparison', column: amount } as const
      const range = { ...filter, operator: Operators.Between, value: [value, value] }
      assert.deepEqual(await found({ conditions: [range] }), [value])
      const list = { ...filter, operator: Operators.In, value: [value] }
      assert.deepEqual(await found({ conditions: [list] }), [value])
    }
    const orderings = [{ column: amount, order: Orders.Asc, nulls: null }]
    const position = keysetBinding(amount, values[0], dialect)
    const behind = await found({ orderings, seek: { orderings, values: [position] }, limit: 5 })
    assert.deepEqual(behind, [values[1]])
  })

  async function ids(
    conditions: readonly Condition[],
    position: SeekPosition | null = null,
  ): Promise<unknown[]> {
    const orderings = [by('id', Orders.Asc, null, Kinds)]
    const columns = [Kinds.key]
    const plan = planOf(Kinds, { columns, conditions, orderings, seek: position })
    return (await readRows(database, compileSelect(plan, dialect), columns)).flat()
  }

  // What a row holds, as a cursor that travelled as JSON brings it back.
  async function throughCursor(property: string, id: number): Promise<unknown> {
    const column = Kinds.column(property)
    const conditions = [compare('id', Operators.Equal, id, Kinds)]
    const plan = planOf(Kinds, { columns: [column], conditions })
    const [[raw] = []] = await rawRows(database, compileSelect(plan, dialect))
    const scalar: unknown = JSON.parse(JSON.stringify(keysetValue(column, raw, dialect)))
    return keysetBinding(column, scalar, dialect)
  }
})

function seek(property: string, order: Orders, value: unknown): SeekPosition {
  return { orderings: [by(property, order, null, Kinds)], values: [value] }
}

function equals(one: unknown, other: unknown): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime()
  if (one instanceof Uint8Array && other instanceof Uint8Array)
    return Buffer.compare(one, other) === 0
  return one === other
}
