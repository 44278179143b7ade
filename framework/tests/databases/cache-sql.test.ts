import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCacheTable, SqlCache } from '../../src/cache/sql-cache.ts'
import type { SqlCacheOptions } from '../../src/cache/sql-cache.ts'
import { connect } from '../../src/database/connect.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { Cache } from '../../src/cache/cache.ts'
import { cacheStoreContract } from '../support/cache-store-contract.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

function withTable(database: Database, name?: string): Promise<void> {
  return database.transaction((transaction) => createCacheTable(new Schema(transaction), name))
}

async function rowsIn(database: Database): Promise<number> {
  const [row] = await database.rows(sql`SELECT count(*) AS n FROM cache`)
  return Number(row?.['n'])
}

onEveryDatabase((_, open, create) => {
  async function opened(t: TestContext, options: SqlCacheOptions = {}) {
    const database = await open(t)
    await withTable(database)
    let now = 1_700_000_000
    const store = new SqlCache(database, { clock: () => now, random: () => 1, ...options })
    const pass = async (seconds: number): Promise<void> => void (now += seconds)
    return { database, store, pass }
  }

  cacheStoreContract((t) => opened(t))

  test('fractions of a second count', async (t) => {
    const { store, pass } = await opened(t)
    await pass(0.9)
    await store.set('a', '"text"', 1)
    await pass(0.5)
    assert.equal(await store.get('a'), '"text"')
    await pass(0.5)
    assert.equal(await store.get('a'), null)
  })

  test('sweep deletes all expired rows, however many, and nothing else', async (t) => {
    const { database, store, pass } = await opened(t)
    const over = Array.from({ length: 2_500 }, (_, index) => `('over ${index}', 1)`)
    await database.run({
      sql: `INSERT INTO cache (name, expires_ms) VALUES ${over.join(', ')}`,
      parameters: [],
    })
    await store.set('short', '"text"', 5)
    await store.set('long', '"text"', 50)
    await pass(5)
    assert.equal(await store.sweep(), 2_501)
    assert.equal(await rowsIn(database), 1)
    assert.equal(await store.sweep(), 0)
    assert.equal(await store.get('long'), '"text"')
  })

  test('one write of a thousand sweeps', async (t) => {
    const chances = [0.5, 0.001, 0.0009]
    const { database, store, pass } = await opened(t, { random: () => chances.shift() ?? 1 })
    await store.set('a', '1', 1)
    await pass(1)
    await store.set('b', '1', 10)
    assert.equal(await rowsIn(database), 2)
    await store.set('c', '1', 10)
    assert.equal(await rowsIn(database), 2)
  })

  test('increments of many connections all count, also while rows are set and swept', async (t) => {
    const url = await create()
    const first = await connect(url)
    t.after(() => first.close())
    await withTable(first)
    const work = async (connection: number): Promise<number[]> => {
      const database = await connect(`${url}?pool=2`)
      t.after(() => database.close())
      const store = new SqlCache(database)
      const sums: number[] = []
      for (let round = 0; round < 25; round += 1) {
        const [sum] = await Promise.all([
          store.increment('n', 1, 100),
          store.set(`key ${round}`, `"${connection}"`, 100),
          round % 10 === 0 ? store.sweep() : store.delete(`key ${round - 1}`),
        ])
        sums.push(Number(sum))
      }
      return sums
    }
    const sums = (await Promise.all([1, 2, 3, 4, 5, 6].map(work))).flat()
    assert.deepEqual(
      sums.toSorted((one, other) => one - other),
      Array.from({ length: 150 }, (_, index) => index + 1),
    )
  })

  test('a cache whose table is missing is an error, not a miss', async (t) => {
    const cache = new Cache(new SqlCache(await open(t)))
    await assert.rejects(cache.get('a'), { code: 'E_STATEMENT' })
    await assert.rejects(cache.set('a', 1, 10), { code: 'E_STATEMENT' })
  })

  test('another table can be named', async (t) => {
    const database = await open(t)
    await withTable(database, 'Other cache')
    const store = new SqlCache(database, { table: 'Other cache' })
    await store.set('a', '"text"', 10)
    assert.equal(await store.increment('n', 2, 10), 2)
    assert.equal(await store.get('a'), '"text"')
    assert.equal(await store.sweep(), 0)
  })

  test('only a transient failure counts as an outage', () => {
    const isUnavailable = (code: DatabaseError['code']): boolean =>
      new DatabaseError(code, 'failed').unavailable
    assert.ok(
      isUnavailable('E_CONNECTION_LOST') &&
        isUnavailable('E_POOL_TIMEOUT') &&
        isUnavailable('E_DATABASE_BUSY'),
    )
    assert.ok(
      !isUnavailable('E_STATEMENT') &&
        !isUnavailable('E_DATABASE_CLOSED') &&
        !isUnavailable('E_VALUE'),
    )
  })
})
