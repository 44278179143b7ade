import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onDatabase } from '../support/test-databases.ts'

/** How often this session has sent a command, such as a prepare. */
async function count(database: Database, name: string): Promise<number> {
  const [row] = await database.rows({ sql: `show session status like '${name}'`, parameters: [] })
  return Number(row?.['Value'])
}

onDatabase('mariadb', (_name, open) => {
  test('a statement is prepared once per connection and its values are sent separately', async (t) => {
    const database = await open(t, 'pool=1')
    const before = await count(database, 'Com_stmt_prepare')
    for (const value of ['a', 'b', 'c']) {
      assert.deepEqual(await database.rows(sql`select ${value} as a`), [{ a: value }])
    }
    assert.equal((await count(database, 'Com_stmt_prepare')) - before, 1)
    assert.equal(await count(database, 'Com_stmt_execute'), 3)
  })

  test('with prepare=off nothing is prepared', async (t) => {
    const database = await open(t, 'pool=1&prepare=off')
    assert.deepEqual(await database.rows(sql`select ${'a'} as a`), [{ a: 'a' }])
    assert.equal(await count(database, 'Com_stmt_prepare'), 0)
  })

  test('a statement that old servers cannot prepare works, also inside a transaction', async (t) => {
    const database = await open(t, 'pool=1')
    await database.run(sql`create table notes (id int)`)
    await database.transaction(async (transaction) => {
      await transaction.run(sql`savepoint mine`)
      await transaction.run(sql`insert into notes values (1)`)
      await transaction.run(sql`rollback to savepoint mine`)
    })
    assert.equal(await count(database, 'Com_savepoint'), 1)
    assert.deepEqual(await database.rows(sql`select * from notes`), [])
  })

  test('more texts than can stay prepared all work, and the server keeps only the last', async (t) => {
    const database = await open(t, 'pool=1')
    const kept = async (): Promise<number> => {
      const [row] = await database.rows(sql`show global status like 'Prepared_stmt_count'`)
      return Number(row?.['Value'])
    }
    const before = await kept()
    for (let index = 0; index < 300; index += 1) {
      const rows = await database.rows({ sql: `select ${index} as a, ? as b`, parameters: [index] })
      assert.deepEqual(rows, [{ a: index, b: index }])
    }
    assert.ok((await kept()) - before <= 128)
  })

  test('a changed table does not fail the statements that were prepared on it', async (t) => {
    const database = await open(t, 'pool=4')
    await database.run(sql`create table growing (a int)`)
    await database.run(sql`insert into growing values (1)`)
    const read = { sql: 'select * from growing', parameters: [] }
    const everywhere = (raw: boolean): Promise<unknown[]> =>
      Promise.all(
        Array.from({ length: 4 }, async () => (await database.run({ ...read, raw })).rows),
      )
    await everywhere(false)
    await everywhere(true)
    await database.run(sql`alter table growing add column b varchar(10) default 'new'`)
    const raw = [[1, 'new']]
    assert.deepEqual(await everywhere(true), [raw, raw, raw, raw])
    const plain = [{ a: 1, b: 'new' }]
    assert.deepEqual(await everywhere(false), [plain, plain, plain, plain])
    await database.run(sql`alter table growing drop column a`)
    const [one, other] = database.pipeline(read, read)
    assert.deepEqual((await one.settled()).rows, [{ b: 'new' }])
    assert.deepEqual((await other.settled()).rows, [{ b: 'new' }])
  })

  test('a changed column type does not fail the statements that were prepared on it', async (t) => {
    const database = await open(t, 'pool=2')
    await database.run(sql`create table typed (id int primary key, a int not null)`)
    const both = (work: () => Promise<unknown>): Promise<unknown[]> => Promise.all([work(), work()])
    let id = 0
    const insert = (a: unknown): Promise<unknown> =>
      database.run(sql`insert into typed values (${(id += 1)}, ${a})`)
    const read = (raw: boolean): Promise<readonly unknown[]> =>
      database.run({ sql: 'select a from typed', parameters: [], raw }).then(({ rows }) => rows)
    await both(() => insert(7))
    for (const [type, value, kept] of [
      ['bigint', 2n ** 40n, 2n ** 40n],
      ['varchar(20)', 'seven', 'seven'],
      ['datetime(6)', '2026-01-31 12:00:00.000000', '2026-01-31 12:00:00.000000'],
      ['decimal(10, 2)', '0.50', '0.50'],
      ['double', 0.5, 0.5],
      ['varbinary(5)', Buffer.from('ab'), Buffer.from('ab')],
    ] as const) {
      await both(() => read(true))
      await both(() => read(false))
      await database.run(sql`delete from typed`)
      await database.run({ sql: `alter table typed modify a ${type}`, parameters: [] })
      await both(() => insert(value))
      for (const rows of await both(() => read(true)))
        assert.deepEqual(rows, [[kept], [kept]], type)
      for (const rows of await both(() => read(false))) {
        assert.deepEqual(rows, [{ a: kept }, { a: kept }], type)
      }
    }
  })

  test('a statement that MariaDB asks to prepare again is sent again, once', async (t) => {
    const database = await open(t, 'pool=1')
    await database.run({
      sql: `create function flaky(failures int) returns int not deterministic begin
        set @tries = coalesce(@tries, 0) + 1;
        if @tries <= failures then signal sqlstate 'HY000' set mysql_errno = 1615; end if;
        return @tries;
      end`,
      parameters: [],
    })
    const ask = async (failures: number): Promise<unknown> =>
      (await database.rows(sql`select flaky(${failures}) as tries`))[0]
    assert.deepEqual(await ask(1), { tries: 2 })
    await database.run(sql`set @tries = 0`)
    await assert.rejects(ask(9), { native: '1615' })
    assert.deepEqual(await database.rows(sql`select @tries as tries`), [{ tries: 2n }])
    await database.run(sql`set @tries = 0`)
    await database.transaction(async (transaction) => {
      assert.deepEqual(await transaction.rows(sql`select flaky(${1}) as tries`), [{ tries: 2 }])
    })
  })

  test('of two columns with the same name the last one wins', async (t) => {
    const database = await open(t)
    assert.deepEqual(await database.rows(sql`select 1 as a, 2 as a`), [{ a: 2 }])
  })
})
