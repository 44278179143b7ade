import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import type { Database } from '../../../src/database/surface.ts'
import {
  bigint,
  boolean,
  bytes,
  date,
  decimal,
  enumeration,
  exactTimestamp,
  float,
  integer,
  json,
  safeInteger,
  text,
  time,
  timestamp,
  uuid,
} from '../../../src/orm/entity/column.ts'
import { Dialects } from '../../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { RowError } from '../../../src/database/database-error.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'

/** The type of a column on each database, where it matters for the values. */
const types = {
  sqlite: { at: 'TEXT', doc: 'TEXT', bytes: 'BLOB', day: 'TEXT' },
  postgres: { at: 'TIMESTAMPTZ(6)', doc: 'JSONB', bytes: 'BYTEA', day: 'DATE' },
  mariadb: { at: 'DATETIME(6)', doc: 'JSON', bytes: 'BLOB', day: 'DATE' },
} as const

async function plant(database: Database, name: Dialects): Promise<void> {
  const { at, doc, bytes: blob, day } = types[name]
  await database.run({
    sql: `CREATE TABLE sales (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL, serial BIGINT NOT NULL,
      price DECIMAL(10, 2) NOT NULL, paid BOOLEAN NOT NULL, sold_at ${at} NOT NULL, day ${day} NOT NULL, doc ${doc}, seal ${blob}, note VARCHAR(50))`,
    parameters: [],
  })
  const at1 = new Date('2026-01-31T12:00:00.250Z')
  const rows = [
    [
      1,
      2,
      2n ** 60n,
      '0.10',
      true,
      at1,
      '2026-01-31',
      '{"a": [1, null]}',
      Buffer.from([0, 255]),
      '12',
    ],
    [2, 3, 5n, '0.20', false, at1, '2026-02-01', 'null', null, null],
  ]
  for (const row of rows) await database.run(sql`INSERT INTO sales VALUES (${sql.list(row)})`)
}

onEveryDatabase((name, open) => {
  test('columns of a table are read by their kinds, alike', async (t) => {
    const database = await open(t)
    await plant(database, name)
    const rows = await database.rows(
      sql`SELECT * FROM sales ORDER BY id`.as({
        id: integer(),
        amount: bigint(),
        serial: bigint(),
        price: decimal({ precision: 10, scale: 2 }),
        paid: boolean(),
        soldAt: timestamp(),
        day: date(),
        doc: json(),
        seal: bytes().nullable(),
        note: text().nullable(),
      }),
    )
    const soldAt = new Date('2026-01-31T12:00:00.250Z')
    const seal = new Uint8Array([0, 255])
    assert.deepEqual(rows, [
      {
        id: 1,
        amount: 2n,
        serial: 2n ** 60n,
        price: '0.10',
        paid: true,
        soldAt,
        day: '2026-01-31',
        doc: { a: [1, null] },
        seal,
        note: '12',
      },
      {
        id: 2,
        amount: 3n,
        serial: 5n,
        price: '0.20',
        paid: false,
        soldAt,
        day: '2026-02-01',
        doc: null,
        seal: null,
        note: null,
      },
    ])
  })

  test('counts, sums, averages and comparisons are read by declaration, alike', async (t) => {
    const database = await open(t)
    await plant(database, name)
    const statement = sql`SELECT COUNT(*) AS total, COUNT(*) AS big_total, SUM(amount) AS amount,
      SUM(amount) AS ${sql.name('exactAmount')}, AVG(amount) AS mean, AVG(amount) AS mean_text, SUM(price) AS price,
      MAX(price) AS dearest, MAX(serial) AS serial, SUM(amount) > 4 AS many, 1 AS one, 1 AS digit, SUM(amount) * 0.5 AS half,
      MAX(sold_at) AS latest, MIN(day) AS ${sql.name('first')}, SUM(amount) * 0 AS zero, SUM(price) * -1 AS debt FROM sales`
    const [row] = await database.rows(
      statement.as({
        total: integer(),
        bigTotal: bigint(),
        amount: integer(),
        exactAmount: bigint(),
        mean: float(),
        meanText: decimal(),
        price: decimal(),
        dearest: decimal(),
        serial: bigint(),
        many: boolean(),
        one: boolean(),
        digit: text(),
        half: decimal({ precision: 10, scale: 0 }),
        latest: exactTimestamp(),
        earliest: date('first'),
        zero: decimal({ precision: 10, scale: 3 }),
        debt: decimal(),
      }),
    )
    assert.deepEqual(row, {
      total: 2,
      bigTotal: 2n,
      amount: 5,
      exactAmount: 5n,
      mean: 2.5,
      meanText: '2.50',
      price: '0.30',
      dearest: '0.20',
      serial: 2n ** 60n,
      many: true,
      one: true,
      digit: '1',
      half: '2.5',
      latest: '2026-01-31 12:00:00.250000',
      earliest: '2026-01-31',
      zero: '0.000',
      debt: '-0.30',
    })
  })

  test('NULL needs a nullable column, and a value its kind', async (t) => {
    const database = await open(t)
    await plant(database, name)
    const none = sql`SELECT SUM(amount) AS total FROM sales WHERE id > 5`
    assert.deepEqual(await database.rows(none.as({ total: integer().nullable() })), [
      { total: null },
    ])
    await assert.rejects(database.rows(none.as({ total: integer() })), {
      code: 'E_COLUMN_VALUE',
      message: 'total is NULL; declare it .nullable(), or give it a value with COALESCE',
    })
    const word = sql`SELECT 'two' AS total`
    for (const column of [
      uuid(),
      time(),
      enumeration(['one']),
      safeInteger(),
      integer(),
      bigint(),
      decimal(),
      float(),
      boolean(),
      date(),
      json(),
    ]) {
      await assert.rejects(database.rows(word.as({ total: column })), { code: 'E_COLUMN_VALUE' })
    }
    assert.deepEqual(await database.rows(word.as({ total: enumeration(['one', 'two']) })), [
      { total: 'two' },
    ])
    const document = sql`SELECT '{"a": 1}' AS total`
    await assert.rejects(database.rows(document.as({ total: json(v.object({ a: v.string() })) })), {
      code: 'E_COLUMN_VALUE',
      message: /^total contains a document that does not fit/,
    })
    const wide = sql`SELECT SUM(amount) * 1000000000 AS total FROM sales`
    for (const column of [integer(), safeInteger()]) {
      assert.deepEqual(await database.rows(wide.as({ total: column })), [{ total: 5e9 }])
    }
    const large = sql`SELECT MAX(serial) AS total FROM sales`
    await assert.rejects(database.rows(large.as({ total: integer() })), { code: 'E_INTEGER_RANGE' })
    const half = sql`SELECT AVG(amount) AS total FROM sales`
    await assert.rejects(database.rows(half.as({ total: integer() })), { code: 'E_COLUMN_VALUE' })
  })

  test('a column that is missing, twice there or not declared is an error, also without rows', async (t) => {
    const database = await open(t)
    await plant(database, name)
    const select = sql`SELECT id, note FROM sales WHERE id > 5`
    const refused = (
      statement: Parameters<Database['run']>[0],
      message: RegExp,
    ): Promise<unknown> => assert.rejects(database.run(statement), { name: 'RowError', message })
    await refused(
      select.as({ id: integer(), note: text(), soldAt: timestamp() }),
      /^as\({ … }\) declares soldAt, but the statement returns no column "soldAt" or "sold_at"; it returns "id", "note": name one with AS$/,
    )
    await refused(select.as({ id: integer() }), /^the statement returns the column "note", which/)
    await refused(sql`SELECT id, id FROM sales`.as({ id: integer() }), /^"id" is there twice/)
    const insert = sql`UPDATE sales SET amount = 9 WHERE id > 5`
    await refused(insert.as({ id: integer() }), /it returns none: name one with AS$/)
    assert.deepEqual(await database.rows(select.as({ id: integer(), note: text() })), [])
    // A statement inside another keeps only its text.
    const total = sql`SELECT COUNT(*) AS total FROM (${select.as({ id: integer() })}) found`
    assert.deepEqual(await database.rows(total.as({ total: integer() })), [{ total: 0 }])
  })

  test('a schema of any library checks rows, at once or later, inside a transaction too', async (t) => {
    const database = await open(t)
    await plant(database, name)
    const statement = sql`SELECT id, note FROM sales ORDER BY id`.as({
      id: integer(),
      note: text().nullable(),
    })
    const async = v.objectAsync({
      id: v.pipeAsync(
        v.number(),
        v.transformAsync((id) => Promise.resolve(`#${id}`)),
      ),
      note: v.nullable(v.string()),
    })
    await database.transaction(async (transaction) => {
      assert.deepEqual(await transaction.rows(statement.check(async)), [
        { id: '#1', note: '12' },
        { id: '#2', note: null },
      ])
    })
    const strict = [
      v.object({ id: v.number(), note: v.string() }),
      z.object({ id: z.number(), note: z.string() }),
      type({ id: 'number', note: 'string' }),
    ]
    for (const schema of strict) {
      await assert.rejects(database.rows(statement.check(schema)), (error) => {
        assert.ok(error instanceof RowError)
        assert.equal(error.code, 'E_ROW')
        assert.equal(
          error.message,
          'row 2 does not fit the schema of check() at note; error.issues says why',
        )
        assert.equal(error.issues.length, 1)
        return true
      })
    }
    const pairs = sql<{ id: number }>`SELECT id FROM sales WHERE id = 1`.check(
      v.pipe(
        v.object({ id: v.number() }),
        v.transform(({ id }) => [id, id]),
      ),
    )
    assert.deepEqual(await database.rows(pairs), [[1, 1]])
  })

  test('a query may ask for the names of its columns and the generated key', async (t) => {
    const database = await open(t)
    const generated = {
      sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT',
      postgres: 'SERIAL PRIMARY KEY',
      mariadb: 'INTEGER PRIMARY KEY AUTO_INCREMENT',
    }
    await database.run({
      sql: `CREATE TABLE made (id ${generated[name]}, n INTEGER)`,
      parameters: [],
    })
    const run = (text: string): Promise<unknown> =>
      database.run({ sql: text, parameters: [], details: true }).then(({ details }) => details)
    const insertId = name === Dialects.Postgres ? null : 1n
    assert.deepEqual(await run('INSERT INTO made (n) VALUES (7)'), { columns: [], insertId })
    assert.deepEqual(await run('UPDATE made SET n = 8'), { columns: [], insertId: null })
    assert.deepEqual(await run('SELECT n, id FROM made'), { columns: ['n', 'id'], insertId: null })
  })

  test('a text instead of a statement is refused with what to write', async (t) => {
    const database = await open(t)
    const refusal = {
      name: 'InvalidArgumentException',
      code: 'E_INVALID_ARGUMENT',
      message: /takes a statement, as in sql`SELECT 1`, or an object with sql and parameters, got /,
    }
    const refused = async (given: Loose): Promise<void> => {
      for (const wrong of ['SELECT 1', undefined, null, {}, { sql: 'SELECT 1' }, 7]) {
        await assert.rejects(async () => given.run(wrong), refusal)
        await assert.rejects(async () => given.rows(wrong), refusal)
      }
    }
    await refused(database)
    await database.transaction(async (transaction) => {
      await refused(transaction)
      await transaction.transaction((inner) => refused(inner))
      assert.equal((await transaction.rows(sql`SELECT 1 AS one`)).length, 1)
    })
  })
})

test('as() and check() refuse what is no column and no schema, before anything is sent', () => {
  const statement = sql`SELECT 1 AS one`
  const invalid = { code: 'E_INVALID_ARGUMENT' }
  // @ts-expect-error not a column
  assert.throws(() => statement.as({ one: 'integer' }), {
    ...invalid,
    message: 'as({ one }) is not a column; use integer(), text() and the like',
  })
  // @ts-expect-error no columns
  assert.throws(() => statement.as(null), invalid)
  // @ts-expect-error no schema
  assert.throws(() => statement.check({}), invalid)
  const schema = v.object({ one: v.number() })
  assert.throws(() => statement.check(schema).as({ one: integer() }), invalid)
  assert.throws(() => statement.check(schema).check(schema), invalid)
})

interface Loose {
  run(statement: unknown): Promise<unknown>
  rows(statement: unknown): Promise<unknown>
}
