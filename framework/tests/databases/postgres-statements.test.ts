import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DatabaseError } from '../../src/data/database/database-error.ts'
import { sql } from '../../src/data/sql/statement.ts'
import { onDatabase } from '../support/test-databases.ts'

const prepared = sql`select count(*)::int as count from pg_prepared_statements where statement like '%marked%'`

onDatabase('postgres', (_name, open) => {
  test('a statement is prepared once a connection', async (t) => {
    const database = await open(t, 'pool=1')
    for (const value of [1, 2, 3]) {
      await database.run(sql`select ${value}::int as marked`)
    }
    // The statement that counts holds the word itself.
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

  test('inside a transaction it fails once, and the next transaction works', async (t) => {
    const database = await open(t, 'pool=2')
    await database.run(sql`create table growing (a int)`)
    const read = { sql: 'select * from growing', parameters: [] }
    const attempt = (): Promise<unknown> =>
      database.transaction((transaction) => transaction.rows(read))
    await attempt()
    await database.run(sql`alter table growing add column b text`)
    await assert.rejects(attempt(), (error: DatabaseError) => error.native === '0A000')
    assert.deepEqual(await attempt(), [])
  })

  test('a connection that was told to forget its statements is not failed by it', async (t) => {
    const database = await open(t, 'pool=1')
    const read = { sql: 'select 1 as a', parameters: [] }
    for (let index = 0; index < 6; index += 1) {
      assert.deepEqual(await database.rows(read), [{ a: 1 }])
      await database.run(sql`deallocate all`)
    }
    assert.deepEqual(await database.rows(read), [{ a: 1 }])
  })
})
