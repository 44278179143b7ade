import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DatabaseError } from '../../src/database/database-error.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onDatabase } from '../support/test-databases.ts'

const prepared = sql`select count(*)::int as count from pg_prepared_statements where statement like '%marked%'`

onDatabase('postgres', (_name, open) => {
  test('a statement is prepared once per connection', async (t) => {
    const database = await open(t, 'pool=1')
    for (const value of [1, 2, 3]) {
      await database.run(sql`select ${value}::int as marked`)
    }
    // The counting statement contains the word itself.
    assert.deepEqual(await database.rows(prepared), [{ count: 2 }])
  })

  test('with prepare=off nothing stays prepared', async (t) => {
    const database = await open(t, 'pool=1&prepare=off')
    await database.run(sql`select ${1}::int as marked`)
    assert.deepEqual(await database.rows(prepared), [{ count: 0 }])
  })

  test('no more than 500 texts stay prepared, and all of them work', async (t) => {
    const database = await open(t, 'pool=1')
    for (let index = 0; index < 520; index += 1) {
      const rows = await database.rows({ sql: `select ${index} as marked`, parameters: [] })
      assert.deepEqual(rows, [{ marked: index }])
    }
    const [row] = await database.rows(prepared)
    assert.deepEqual(row, { count: 500 })
  })

  test('a changed table does not fail the statements that were prepared on it', async (t) => {
    const database = await open(t, 'pool=4')
    await database.run(sql`create table growing (a int)`)
    await database.run(sql`insert into growing values (1)`)
    const read = { sql: 'select * from growing', parameters: [] }
    const everywhere = (): Promise<unknown[]> =>
      Promise.all(Array.from({ length: 4 }, async () => database.rows(read)))
    await everywhere()
    await everywhere()
    await database.run(sql`alter table growing add column b text default 'new'`)
    const expected = [{ a: 1, b: 'new' }]
    assert.deepEqual(await everywhere(), [expected, expected, expected, expected])
    await database.run(sql`alter table growing drop column a`)
    const [one, other] = database.pipeline(read, read)
    assert.deepEqual((await one.settled()).rows, [{ b: 'new' }])
    assert.deepEqual((await other.settled()).rows, [{ b: 'new' }])
  })

  test('a changed column type does not fail the statements that were prepared on it', async (t) => {
    const database = await open(t, 'pool=3')
    await database.run(sql`create table typed (id int primary key, a int not null)`)
    const insert = (id: number, a: unknown): Promise<unknown> =>
      database.run(sql`insert into typed values (${id}, ${a})`)
    const found = async (a: unknown): Promise<unknown[]> =>
      (await database.rows(sql`select id from typed where a = ${a} order by id`)).map(
        ({ id }) => id,
      )
    const everywhere = (id: number, a: unknown): Promise<unknown> =>
      Promise.all([0, 1, 2].map((more) => insert(id + more, a)))
    await everywhere(1, 7)
    await Promise.all([found(7), found(7), found(7)])
    for (const [type, value, id] of [
      ['bigint', 2n ** 40n, 11],
      ['text', 'seven', 21],
      ['timestamptz using now()', '2026-01-31 12:00:00+00', 31],
      ['numeric using 1', '0.5', 41],
      ['text', 'eight', 51],
    ] as const) {
      await database.run({ sql: `alter table typed alter a type ${type}`, parameters: [] })
      await everywhere(id, value)
      const ids = [id, id + 1, id + 2]
      assert.deepEqual(await Promise.all([found(value), found(value)]), [ids, ids], type)
    }
    // However often it changed, it stays prepared.
    const named = sql`select count(*)::int as count from pg_prepared_statements where statement like 'insert into typed%'`
    const [{ count } = { count: 0 }] = await database.rows(named)
    assert.ok(Number(count) > 0)
  })

  test('a value that does not fit is rejected as before, and the statement keeps its name', async (t) => {
    const database = await open(t, 'pool=1')
    await database.run(sql`create table typed (a int)`)
    for (const value of ['one', 'two', 'three', 'four', 'five', '6']) {
      const insert = database.run(sql`insert into typed values (${value})`)
      if (value === '6') await insert
      else await assert.rejects(insert, { code: 'E_VALUE', native: '22P02' })
    }
    const named = sql`select count(*)::int as count from pg_prepared_statements where statement like 'insert into typed%'`
    assert.deepEqual(await database.rows(named), [{ count: 1 }])
  })

  test('later in a transaction a changed parameter type fails once, and the next use works', async (t) => {
    const database = await open(t, 'pool=1')
    await database.run(sql`create table typed (a int)`)
    const attempt = (value: string): Promise<unknown> =>
      database.transaction(async (transaction) => {
        await transaction.run(sql`select 1`)
        await transaction.run(sql`insert into typed values (${value})`)
      })
    await attempt('1')
    await database.run(sql`alter table typed alter a type text`)
    await assert.rejects(attempt('one'), { code: 'E_VALUE' })
    await attempt('one')
    await attempt('two')
    assert.equal((await database.rows(sql`select a from typed`)).length, 3)
  })

  test('later in a transaction changed columns end it with E_DEADLOCK, and the next one works', async (t) => {
    const database = await open(t, 'pool=2')
    await database.run(sql`create table growing (a int)`)
    const read = { sql: 'select a from growing', parameters: [] }
    const attempt = (): Promise<unknown> =>
      database.transaction(async (transaction) => {
        await transaction.run(sql`select 1`)
        return transaction.rows(read)
      })
    await attempt()
    await database.run(sql`alter table growing alter a type text`)
    await assert.rejects(attempt(), (error: DatabaseError) => {
      assert.equal(error.code, 'E_DEADLOCK')
      return error.native === '0A000' && error.retryable
    })
    assert.deepEqual(await attempt(), [])
  })

  test('a first statement that is outdated begins its transaction again, with its options', async (t) => {
    const database = await open(t, 'pool=1')
    await database.run(sql`create table typed (a int)`)
    const isolation = { isolation: 'serializable' } as const
    const attempt = (value: string): Promise<unknown> =>
      database.transaction(async (transaction) => {
        await transaction.run(sql`insert into typed values (${value})`)
        return transaction.rows(sql`show transaction_isolation`)
      }, isolation)
    await attempt('1')
    await database.run(sql`alter table typed alter a type text`)
    assert.deepEqual(await attempt('one'), [{ transaction_isolation: 'serializable' }])
    await database.run(sql`alter table typed alter a type int using 1`)
    await assert.rejects(attempt('one'), { code: 'E_VALUE' })
    assert.equal((await database.rows(sql`select a from typed`)).length, 2)
  })

  test('a connection whose prepared statements were deallocated keeps working', async (t) => {
    const database = await open(t, 'pool=1')
    const read = { sql: 'select 1 as a', parameters: [] }
    for (let index = 0; index < 6; index += 1) {
      assert.deepEqual(await database.rows(read), [{ a: 1 }])
      await database.run(sql`deallocate all`)
    }
    assert.deepEqual(await database.rows(read), [{ a: 1 }])
  })
})
