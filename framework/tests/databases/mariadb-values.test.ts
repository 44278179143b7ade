import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../../src/base/errors.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onDatabase } from '../support/test-databases.ts'

const table = sql`create table samples (
  id bigint auto_increment primary key, small int, big bigint, huge bigint unsigned, exact decimal(20,4),
  whole decimal(20,0), approximate double, yes boolean, words varchar(50), moment datetime(6),
  instant timestamp(6) null, day date, document json, bytes blob)`

const moment = new Date('2024-02-29T12:00:00.007Z')
const sample = {
  small: -7,
  big: 2n ** 63n - 1n,
  huge: 2n ** 64n - 1n,
  exact: '12345678901234.5670',
  whole: '98765432109876543210',
  approximate: 0.1,
  yes: true,
  words: 'ü\n😀',
  moment,
  instant: moment,
  day: '2024-02-29',
  document: '{"a": [1, 1.0]}',
  bytes: Uint8Array.of(0, 255),
}
const insert = sql`insert into samples (${sql.list(Object.keys(sample).map((name) => sql.name(name)))})
  values (${sql.list(Object.values(sample))})`

const read = {
  ...sample,
  id: 1n,
  yes: 1,
  moment: '2024-02-29 12:00:00.007000',
  instant: '2024-02-29 12:00:00.007000',
  bytes: Buffer.of(0, 255),
}

onDatabase('mariadb', (_name, open) => {
  for (const options of ['prepare=on', 'prepare=off']) {
    test(`with ${options} every kind of value is returned exactly`, async (t) => {
      const database = await open(t, options)
      await database.run(table)
      assert.equal((await database.run(insert)).affected, 1)
      assert.deepEqual(await database.rows(sql`select * from samples`), [read])
    })

    test(`with ${options} raw rows are lists in the order of the select`, async (t) => {
      const database = await open(t, options)
      await database.run(table)
      await database.run(insert)
      const names = Object.keys(read)
      const { rows } = await database.run({
        sql: `select ${names.join()}, 1 as same, 2 as same, null from samples`,
        parameters: [],
        raw: true,
      })
      assert.deepEqual(rows, [[...Object.values(read), 1, 2, null]])
    })

    test(`with ${options} whole numbers stay integers, whatever their size`, async (t) => {
      const database = await open(t, options)
      await database.run(sql`create table typed as
        select ${2147483647} as a, ${3_000_000_000} as b, ${-1} as c, ${2 ** 53 - 1} as d, ${1.5} as e`)
      const columns = await database.rows(sql`show columns from typed`)
      const kinds = columns.map(({ Type }) => String(Type).replace(/\(.*/s, ''))
      const [double = ''] = kinds.slice(-1)
      assert.ok(['double', 'decimal'].includes(double), double)
      assert.ok(
        kinds.slice(0, -1).every((kind) => kind.endsWith('int')),
        kinds.join(),
      )
      assert.deepEqual(
        await database.rows(sql`select 1 as one from typed limit ${3_000_000_000} offset ${0}`),
        [{ one: 1 }],
      )
    })

    test(`with ${options} text with quotes and backslashes stays text`, async (t) => {
      const database = await open(t, options)
      for (const text of [`'; drop table a; --`, '\\', "\\'", '"', '%_', '`', '?', '\u{2028}']) {
        assert.deepEqual(await database.rows(sql`select ${text} as text`), [{ text }])
      }
    })

    test(`with ${options} a value of several megabytes can be written and read`, async (t) => {
      const database = await open(t, options)
      const bytes = Buffer.alloc(3_000_000, 'abc\0')
      for (let times = 0; times < 2; times += 1) {
        assert.deepEqual(await database.rows(sql`select ${bytes} as bytes, ${7} as seven`), [
          { bytes, seven: 7 },
        ])
      }
    })
  }

  test('rows are counted when they are written, matched or read', async (t) => {
    const database = await open(t)
    const counts = []
    for (const statement of [
      sql`create table counted (a int primary key, b int)`,
      sql`insert into counted values (1, 1), (2, 1), (3, 2)`,
      sql`update counted set b = 1 where a < 3`,
      sql`select * from counted where b = 1`,
      sql`delete from counted where b = 1`,
      sql`insert into counted values (4, 4) returning a`,
    ]) {
      counts.push((await database.run(statement)).affected)
    }
    assert.deepEqual(counts, [0, 3, 2, 2, 2, 1])
  })

  test('a procedure that selects has its first rows', async (t) => {
    const database = await open(t)
    await database.run(sql`create procedure twice(a int) begin select a; select a + 1; end`)
    assert.deepEqual(await database.rows(sql`call twice(${5})`), [{ a: 5 }])
  })

  test('an invalid parameter is rejected before anything is sent', async (t) => {
    const database = await open(t)
    await database.run(sql`create table sent (a int)`)
    const fine = { sql: 'insert into sent values (1)', parameters: [] }
    for (const parameters of [[undefined], [[1]], [{}], [Number.NaN], [2n ** 64n], [], [1, 2]]) {
      const query = { sql: 'insert into sent values (?)', parameters }
      assert.throws(() => database.dispatch(query), InvalidArgumentException)
      assert.throws(() => database.pipeline(fine, query), InvalidArgumentException)
      await assert.rejects(database.run(query), InvalidArgumentException)
      await assert.rejects(
        database.transaction((transaction) => transaction.run(query)),
        InvalidArgumentException,
      )
    }
    assert.deepEqual(await database.rows(sql`select * from sent`), [])
  })

  test('a session is strict, in UTC and in full Unicode, whatever the server is set to', async (t) => {
    const setter = await open(t)
    const server = sql`select @@global.time_zone as zone, @@global.sql_mode as mode`
    const [before = {}] = await setter.rows(server)
    await setter.run(sql`set global time_zone = '+09:00', global sql_mode = ''`)
    try {
      const database = await open(t, 'statement_timeout=1.5')
      const [row] =
        await database.rows(sql`select @@time_zone as zone, @@max_statement_time as seconds,
        @@character_set_client as letters, @@sql_mode as mode, from_unixtime(0) as epoch`)
      assert.deepEqual(row, {
        zone: '+00:00',
        seconds: 1.5,
        letters: 'utf8mb4',
        mode: 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
        epoch: '1970-01-01 00:00:00',
      })
    } finally {
      const { zone, mode } = before
      await setter.run(sql`set global time_zone = ${zone}, global sql_mode = ${mode}`)
    }
  })

  test('one text contains one statement', async (t) => {
    const database = await open(t)
    await database.run(sql`create table kept (a int)`)
    await assert.rejects(database.run(sql`select 1; drop table kept`), { code: 'E_STATEMENT' })
    await assert.rejects(database.run(sql`do 1; drop table kept`), { code: 'E_STATEMENT' })
    assert.deepEqual(await database.rows(sql`select * from kept`), [])
  })
})
