import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../../src/base/errors.ts'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onDatabase } from '../support/test-databases.ts'

onDatabase('postgres', (_name, open, create) => {
  test('rows are objects with exact values: 64 bits as bigint, decimals and times as text', async (t) => {
    const database = await open(t)
    const [row] = await database.rows(sql`select
      7::int as small, 9007199254740993::bigint as big, 0.10::numeric(10,2) as decimal, 0.1::float8 as float,
      true as yes, 'ü'::text as text, null::int as nothing, '{"a":[1]}'::jsonb as json, '\\x00ff'::bytea as bytes,
      '2024-02-29 12:00:00.123456+02'::timestamptz as moment, '2024-02-29'::date as day, '{1,2}'::int[] as list`)
    assert.deepEqual(row, {
      small: 7,
      big: 9007199254740993n,
      decimal: '0.10',
      float: 0.1,
      yes: true,
      text: 'ü',
      nothing: null,
      json: { a: [1] },
      bytes: Buffer.from([0, 255]),
      moment: '2024-02-29 10:00:00.123456+00',
      day: '2024-02-29',
      list: '{1,2}',
    })
  })

  test('raw rows are lists of the text that the server sent, in the order of the select', async (t) => {
    const database = await open(t)
    const { rows } = await database.run({
      sql: `select 1::int, 9223372036854775807::bigint, 0.10::numeric, true, null, '{"a": 1}'::json, '\\x00ff'::bytea,
        'infinity'::float8, 1 as "same", 2 as "same", $1::timestamptz`,
      parameters: [new Date(7)],
      raw: true,
    })
    assert.deepEqual(rows, [
      [
        '1',
        '9223372036854775807',
        '0.10',
        't',
        null,
        '{"a": 1}',
        '\\x00ff',
        'Infinity',
        '1',
        '2',
        '1970-01-01 00:00:00.007+00',
      ],
    ])
  })

  test('every kind of parameter arrives unchanged', async (t) => {
    const database = await open(t)
    await database.run(sql`create table samples (id serial, a text, b int, c bigint, d boolean, e timestamptz,
      f timestamp, g bytea, h numeric, i float8, j jsonb)`)
    const when = new Date('2024-02-29T12:00:00.007Z')
    const { affected } =
      await database.run(sql`insert into samples (a, b, c, d, e, f, g, h, i, j) values
      (${'ü\n😀'}, ${-7}, ${2n ** 63n - 1n}, ${true}, ${when}, ${when}, ${Uint8Array.of(0, 255)}, ${'0.10'}, ${1e300}, ${'{"a":1}'}),
      (${null}, ${null}, ${null}, ${false}, ${null}, ${null}, ${new Uint8Array()}, ${12345678901234567890n}, ${-0.5}, ${null})`)
    assert.equal(affected, 2)
    const rows = await database.rows(sql`select * from samples order by id`)
    assert.deepEqual(rows, [
      {
        id: 1,
        a: 'ü\n😀',
        b: -7,
        c: 2n ** 63n - 1n,
        d: true,
        e: '2024-02-29 12:00:00.007+00',
        f: '2024-02-29 12:00:00.007',
        g: Buffer.from([0, 255]),
        h: '0.10',
        i: 1e300,
        j: { a: 1 },
      },
      {
        id: 2,
        a: null,
        b: null,
        c: null,
        d: false,
        e: null,
        f: null,
        g: Buffer.of(),
        h: '12345678901234567890',
        i: -0.5,
        j: null,
      },
    ])
  })

  test('an invalid parameter is rejected before anything is sent', async (t) => {
    const database = await open(t)
    await database.run(sql`create table sent (a int)`)
    for (const value of [undefined, [1], {}, Symbol('a')]) {
      const query = { sql: 'insert into sent values ($1)', parameters: [value] }
      assert.throws(() => database.dispatch(query), InvalidArgumentException)
      const fine = { sql: 'insert into sent values (1)', parameters: [] }
      assert.throws(() => database.pipeline(fine, query), InvalidArgumentException)
      await assert.rejects(database.run(query), InvalidArgumentException)
      await assert.rejects(
        database.transaction((transaction) => transaction.run(query)),
        InvalidArgumentException,
      )
    }
    assert.deepEqual(await database.rows(sql`select * from sent`), [])
  })

  test('a statement takes as many values as the protocol allows', async (t) => {
    const database = await open(t)
    const parameters = Array.from({ length: 65_535 }, (_, index) => index)
    const places = parameters.map((index) => `$${index + 1}::int`).join()
    const [row] = await database.rows({
      sql: `select cardinality(array[${places}]) as count`,
      parameters,
    })
    assert.deepEqual(row, { count: 65_535 })
    await assert.rejects(
      database.run({ sql: 'select 1', parameters: [...parameters, 1] }),
      /allows 65535/,
    )
    await database.ping()
  })

  test('a session has a fixed value format and UTC, whatever the database is set to', async (t) => {
    const url = await create()
    const first = await connect(url)
    for (const setting of [
      "TimeZone = 'Asia/Tokyo'",
      "DateStyle = 'German'",
      "bytea_output = 'escape'",
      'extra_float_digits = -5',
      'statement_timeout = 7',
    ]) {
      const name = new URL(url).pathname.slice(1)
      await first.run({ sql: `alter database ${name} set ${setting}`, parameters: [] })
    }
    await first.close()
    const database = await connect(`${url}?statement_timeout=1.5`)
    t.after(() => database.close())
    const [row] = await database.rows(sql`select '2024-02-29 12:00:00+00'::timestamptz as moment,
      '\\x00ff'::bytea as bytes, 0.1::float8 + 0.2::float8 as float,
      current_setting('statement_timeout') as timeout, current_setting('application_name') as name`)
    assert.deepEqual(row, {
      moment: '2024-02-29 12:00:00+00',
      bytes: Buffer.from([0, 255]),
      float: 0.1 + 0.2,
      timeout: '1500ms',
      name: 'framework',
    })
  })

  test('affected counts rows that were written or read, and is 0 for the rest', async (t) => {
    const database = await open(t)
    const counts = []
    for (const statement of [
      sql`create table counted (a int)`,
      sql`insert into counted select generate_series(1, 5)`,
      sql`update counted set a = 0 where a > 2`,
      sql`select * from counted where a = 0`,
      sql`delete from counted where a = 0 returning a`,
    ]) {
      counts.push((await database.run(statement)).affected)
    }
    assert.deepEqual(counts, [0, 5, 3, 3, 3])
  })

  test('one text contains one statement, prepared or not', async (t) => {
    for (const options of ['', 'prepare=off']) {
      const database = await open(t, options)
      await database.run(sql`create table kept (a int)`)
      for (const statement of [sql`select 1; drop table kept`, sql`drop table kept; select 1`]) {
        await assert.rejects(database.run(statement), /multiple commands/)
      }
      assert.deepEqual(await database.rows(sql`select * from kept`), [])
    }
  })
})
