import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { DatabaseError, BusyError } from '../../src/database/database-error.ts'
import type { Database } from '../../src/database/surface.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { integer, key } from '../../src/orm/entity/column.ts'
import { Repository } from '../../src/orm/repository.ts'
import type { Query } from '../../src/database/sql/plan/statement.ts'
import { startDelayProxy } from '../support/delay-proxy.ts'
import type { DelayProxy } from '../support/delay-proxy.ts'
import { onDatabase } from '../support/test-databases.ts'
import type { CreateDatabase } from '../support/test-databases.ts'
import { compareDurations } from './compare-durations.ts'

function query(sql: string, ...parameters: unknown[]): Query {
  return { sql, parameters }
}

const Counters = entity('counters', { id: key.integer(), hits: integer() })

interface Far {
  readonly database: Database
  readonly proxy: DelayProxy
}

async function openFar(t: TestContext, create: CreateDatabase, options = 'pool=1'): Promise<Far> {
  const url = new URL(await create())
  const proxy = await startDelayProxy(Number(url.port), 25)
  url.port = String(proxy.port)
  const database = await connect(`${url.href}?${options}&connect_timeout=60`)
  t.after(async () => {
    await database.close()
    await proxy.close()
  })
  return { database, proxy }
}

async function both(database: Database, first: Query, second: Query): Promise<unknown[]> {
  const operations = database.pipeline(first, second)
  const answers = await Promise.all(operations.map((operation) => operation.settled()))
  return answers.map(({ rows }) => rows)
}

onDatabase('mariadb', (_name, open, create) => {
  for (const options of ['pool=1', 'pool=1&prepare=off']) {
    test(`two statements go out in one flush and take one round trip, cold and warm, with ${options}`, async (t) => {
      const { database, proxy } = await openFar(t, create, options)
      const [first, second] = [query('select ? as a', 1), query('select ? as b', 2)]
      for (const state of ['cold', 'warm']) {
        proxy.reset()
        assert.deepEqual(await both(database, first, second), [[{ a: 1 }], [{ b: 2 }]])
        assert.deepEqual([proxy.roundTrips(), proxy.flushes()], [1, 1], state)
      }
    })
  }

  test('a pipeline lasts at most 1.2 round trips of a single statement', async (t) => {
    const { database } = await openFar(t, create)
    const [first, second] = [query('select ? as a', 1), query('select ? as b', 2)]
    const pair = (): Promise<unknown> => both(database, first, second)
    await pair()
    await compareDurations(t, 1.2, () => database.run(first), pair)
  })

  test('sent one after the other they take two round trips', async (t) => {
    const { database, proxy } = await openFar(t, create)
    await database.run(query('select 1'))
    proxy.reset()
    await database.run(query('select 1'))
    await database.run(query('select 1'))
    assert.equal(proxy.roundTrips(), 2)
  })

  for (const options of ['pool=1', 'pool=1&prepare=off']) {
    test(`a failing statement does not affect the other one, with ${options}`, async (t) => {
      const database = await open(t, options)
      await database.run(query('create table unique_notes (a int primary key)'))
      await database.run(query('insert into unique_notes values (1)'))
      const failing = [
        query('select * from nowhere'),
        query('selec'),
        query('insert into unique_notes values (?)', 1),
      ]
      for (const wrong of failing) {
        const right = query('select 2 as b, ? as c', 3)
        const [one, other] = database.pipeline(wrong, right)
        await assert.rejects(one.settled(), DatabaseError)
        assert.deepEqual((await other.settled()).rows, [{ b: 2, c: 3 }])
        const [third, fourth] = database.pipeline(right, wrong)
        assert.deepEqual((await third.settled()).rows, [{ b: 2, c: 3 }])
        await assert.rejects(fourth.settled(), DatabaseError)
      }
    })
  }

  test('a statement that cannot be prepared never runs the one prepared before it', async (t) => {
    const database = await open(t, 'pool=1')
    await database.run(query('create table drops (a int)'))
    await database.run(query('insert into drops values (?)', 1))
    for (let times = 0; times < 3; times += 1) {
      await assert.rejects(database.run(query(`insert int drops values (${times} + ?)`, 1)))
      const [one, other] = database.pipeline(
        query(`insert int drops values (${times} + ?)`, 1),
        query(`select ${times} as a from nowhere where a = ?`, 1),
      )
      await Promise.allSettled([one.settled(), other.settled()])
    }
    assert.deepEqual(await database.rows(query('select a from drops')), [{ a: 1 }])
  })

  test('the same new text twice in a pipeline succeeds or fails twice', async (t) => {
    const database = await open(t, 'pool=1')
    const twice = [query('select ? as a', 1), query('select ? as a', 2)] as const
    assert.deepEqual(await both(database, ...twice), [[{ a: 1 }], [{ a: 2 }]])
    const wrong = query('select * from nowhere where a = ?', 1)
    const codes = await Promise.all(
      database
        .pipeline(wrong, wrong)
        .map((operation) => operation.settled().catch((error: unknown) => Object(error).native)),
    )
    assert.deepEqual(codes, ['1146', '1146'])
  })

  test('the first has its rows before the second is done', async (t) => {
    const database = await open(t, 'pool=2')
    const { held: other } = await database.transaction(async (holder) => {
      await holder.run(query(`select get_lock('held', 0)`))
      const [one, held] = database.pipeline(
        query('select 1 as a'),
        query(`select get_lock('held', 30)`),
      )
      await one.settled()
      assert.equal(held.state, 'pending')
      assert.deepEqual(one.result.rows, [{ a: 1 }])
      await holder.run(query(`select release_lock('held')`))
      return { held }
    })
    await other.settled()
  })

  test('many concurrent pipelines and statements each get their own results', async (t) => {
    const database = await open(t, 'pool=3')
    const work = Array.from({ length: 200 }, async (_, index) => {
      const isWrong = index % 7 === 0
      const [one, other] = database.pipeline(
        query('select ? as a', index),
        isWrong ? query('select * from nowhere') : query('select ? as b', -index),
      )
      const single = database.dispatch(query(`select ? as c${index % 5}`, index * 2))
      assert.deepEqual((await one.settled()).rows, [{ a: index }])
      if (isWrong) await assert.rejects(other.settled(), { code: 'E_STATEMENT' })
      else assert.deepEqual((await other.settled()).rows, [{ b: -index }])
      assert.deepEqual((await single.settled()).rows, [{ [`c${index % 5}`]: index * 2 }])
    })
    await Promise.all(work)
  })

  test('a transaction begun in a pipeline affects no one else', async (t) => {
    const database = await open(t, 'pool=1')
    await database.run(query('create table notes (a int)'))
    const [begin, insert] = database.pipeline(
      query('begin'),
      query('insert into notes values (?)', 1),
    )
    await Promise.all([begin.settled(), insert.settled()])
    await database.run(query('insert into notes values (2)'))
    assert.deepEqual(await database.rows(query('select a from notes')), [{ a: 2 }])
  })

  test('with pipeline=off the surface is serial and rejects a pipeline, but statements still run concurrently', async (t) => {
    const database = await open(t, 'pipeline=off')
    assert.equal(database.serial, true)
    assert.throws(() => database.pipeline(query('select 1'), query('select 2')), BusyError)
    const operations = [1, 2, 3].map((value) => database.dispatch(query('select ? as a', value)))
    const results = await Promise.all(operations.map((operation) => operation.settled()))
    assert.deepEqual(
      results.flatMap(({ rows }) => rows),
      [{ a: 1 }, { a: 2 }, { a: 3 }],
    )
    const rows = await database.transaction(
      (transaction) => transaction.rows(query('select ? as a', 4)),
      { isolation: 'serializable' },
    )
    assert.deepEqual(rows, [{ a: 4 }])
  })

  for (const [options, trips] of [
    ['pool=1', 2],
    ['pool=1&pipeline=off', 4],
  ] as const) {
    test(`a change that returns its row takes ${trips} round trips with ${options}`, async (t) => {
      const { database, proxy } = await openFar(t, create, options)
      await database.run(query('create table counters (id int primary key, hits int not null)'))
      await database.run(query('insert into counters values (1, 7)'))
      const counters = new Repository(Counters, database)
      // Without pipelining it takes one more to prepare each statement.
      await counters.increment(1, { hits: 1 })
      proxy.reset()
      assert.deepEqual(await counters.increment(1, { hits: 1 }), { id: 1, hits: 9 })
      assert.equal(proxy.roundTrips(), trips)
      assert.deepEqual(await counters.update(1, { hits: 40 }), { id: 1, hits: 40 })
      assert.equal(await counters.update(2, { hits: 40 }), null)
    })
  }

  test('a change is undone when the read after it or the change itself fails, and leaves the connection usable', async (t) => {
    const database = await open(t, 'pool=1')
    await database.run(query('create table notes (a int primary key)'))
    await database.run(query('insert into notes values (1), (2)'))
    const change = query('update notes set a = a + ? where a = ?', 2, 1)
    const both = [
      [change, query('select * from nowhere')],
      [query('update notes set a = ? where a = 1', 2), query('select a from notes')],
      [change, query('select ? as b')],
    ] as const
    for (const [changes, reads] of both) {
      await assert.rejects(async () => database.changeAndRead?.(changes, reads))
      assert.deepEqual(await database.rows(query('select a from notes')), [{ a: 1 }, { a: 2 }])
    }
    const [changed, found] =
      (await database.changeAndRead?.(change, query('select a from notes'))) ?? []
    assert.deepEqual([changed?.affected, found?.rows], [1, [{ a: 2 }, { a: 3 }]])
  })

  test('otherwise the surface is neither serial nor synchronous', async (t) => {
    const database = await open(t)
    assert.deepEqual([database.serial, database.kind], [false, 'async'])
  })
})
