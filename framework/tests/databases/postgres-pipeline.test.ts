import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { DatabaseError, BusyError } from '../../src/database/database-error.ts'
import type { Database } from '../../src/database/surface.ts'
import type { Query } from '../../src/database/sql/plan/statement.ts'
import { startDelayProxy } from '../support/delay-proxy.ts'
import type { DelayProxy } from '../support/delay-proxy.ts'
import { onDatabase } from '../support/test-databases.ts'
import type { CreateDatabase } from '../support/test-databases.ts'
import { compareDurations } from './compare-durations.ts'

function query(sql: string, ...parameters: unknown[]): Query {
  return { sql, parameters }
}

interface Far {
  readonly database: Database
  readonly proxy: DelayProxy
}

async function openFar(t: TestContext, create: CreateDatabase, options = 'pool=1'): Promise<Far> {
  const url = new URL(await create())
  const proxy = await startDelayProxy(Number(url.port), 25)
  url.port = String(proxy.port)
  const database = await connect(`${url.href}?${options}`)
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

onDatabase('postgres', (_name, open, create) => {
  test('two statements go out in one flush and take one round trip, cold and warm', async (t) => {
    const { database, proxy } = await openFar(t, create)
    const [first, second] = [query('select $1::int as a', 1), query('select $1::int as b', 2)]
    for (const state of ['cold', 'warm']) {
      proxy.reset()
      assert.deepEqual(await both(database, first, second), [[{ a: 1 }], [{ b: 2 }]])
      assert.deepEqual([proxy.roundTrips(), proxy.flushes()], [1, 1], state)
    }
  })

  test('two statements are one write to the network', async (t) => {
    const database = await open(t, 'pool=1')
    const writes = t.mock.method(Object(Socket.prototype), '_writev')
    await both(database, query('select $1::int as a', 1), query('select $1::int as b', 2))
    assert.equal(writes.mock.callCount(), 1)
    await database.run(query('select $1::int as a', 1))
    assert.equal(writes.mock.callCount(), 2)
  })

  test('a pipeline lasts at most 1.2 round trips of a single statement', async (t) => {
    const { database } = await openFar(t, create)
    const [first, second] = [query('select $1::int as a', 1), query('select $1::int as b', 2)]
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

  test('a first statement that fails, in parsing or in running, does not affect the second', async (t) => {
    const database = await open(t, 'pool=1')
    const failing = [query('select * from nowhere'), query('select 1 / $1::int', 0), query('selec')]
    for (const first of failing) {
      const [one, other] = database.pipeline(first, query('select 2 as b'))
      await assert.rejects(one.settled(), DatabaseError)
      assert.deepEqual((await other.settled()).rows, [{ b: 2 }])
      const [third, fourth] = database.pipeline(query('select 2 as b'), first)
      assert.deepEqual((await third.settled()).rows, [{ b: 2 }])
      await assert.rejects(fourth.settled(), DatabaseError)
    }
  })

  test('each is its own transaction', async (t) => {
    const database = await open(t, 'pool=1')
    await database.run(query('create table kept (a int)'))
    const [one, other] = database.pipeline(
      query('insert into kept values (1)'),
      query('select * from nowhere'),
    )
    await one.settled()
    await assert.rejects(other.settled())
    assert.deepEqual(await database.rows(query('select a from kept')), [{ a: 1 }])
  })

  test('the same invalid new text twice in a pipeline fails twice for the same reason', async (t) => {
    const database = await open(t, 'pool=1')
    const wrong = query('select * from nowhere where a = $1', 1)
    const codes = await Promise.all(
      database
        .pipeline(wrong, wrong)
        .map((operation) => operation.settled().catch((error: unknown) => Object(error).native)),
    )
    assert.deepEqual(codes, ['42P01', '42P01'])
  })

  test('the first has its rows before the second is done', async (t) => {
    const database = await open(t, 'pool=2')
    const { held: other } = await database.transaction(async (holder) => {
      await holder.run(query('select pg_advisory_xact_lock(7)'))
      const [one, held] = database.pipeline(
        query('select 1 as a'),
        query('select pg_advisory_lock(7)'),
      )
      await one.settled()
      assert.equal(held.state, 'pending')
      assert.deepEqual(one.result.rows, [{ a: 1 }])
      return { held }
    })
    await other.settled()
  })

  test('many concurrent pipelines and statements each get their own results', async (t) => {
    const database = await open(t, 'pool=3')
    const work = Array.from({ length: 200 }, async (_, index) => {
      const [one, other] = database.pipeline(
        query('select $1::int as a', index),
        query(
          index % 7 === 0 ? 'select * from nowhere' : 'select $1::int as b',
          ...(index % 7 === 0 ? [] : [-index]),
        ),
      )
      const single = database.dispatch(query('select $1::int as c', index * 2))
      assert.deepEqual((await one.settled()).rows, [{ a: index }])
      if (index % 7 === 0) await assert.rejects(other.settled())
      else assert.deepEqual((await other.settled()).rows, [{ b: -index }])
      assert.deepEqual((await single.settled()).rows, [{ c: index * 2 }])
    })
    await Promise.all(work)
  })

  test('with pipeline=off the surface is serial and rejects a pipeline, but statements still run concurrently', async (t) => {
    const database = await open(t, 'pipeline=off')
    assert.equal(database.serial, true)
    assert.throws(() => database.pipeline(query('select 1'), query('select 2')), BusyError)
    const operations = [1, 2, 3].map((value) =>
      database.dispatch(query('select $1::int as a', value)),
    )
    const rows = await Promise.all(operations.map((operation) => operation.settled()))
    assert.deepEqual(
      rows.flatMap((result) => result.rows),
      [{ a: 1 }, { a: 2 }, { a: 3 }],
    )
    await database.transaction((transaction) => transaction.run(query('select 1')))
  })

  test('otherwise the surface is neither serial nor synchronous', async (t) => {
    const database = await open(t)
    assert.deepEqual([database.serial, database.kind], [false, 'async'])
  })
})
