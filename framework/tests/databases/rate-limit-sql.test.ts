import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { Throwables } from '../../src/errors/throwables/throwables.ts'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { RateRule } from '../../src/http/rate-limits/rate-limit-store.ts'
import { createRateLimitsTable, SqlRateLimits } from '../../src/http/rate-limits/sql-rate-limits.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { digestOf, rateLimitContract } from './rate-limit-contract.ts'

const rule: RateRule = { limit: 1, window: 60, algorithm: 'fixed' }

async function rowsIn(database: Database): Promise<number> {
  const [row] = await database.rows(sql`SELECT count(*) AS n FROM rate_limits`)
  return Number(row?.['n'])
}

async function migrate(database: Database): Promise<Database> {
  await database.transaction((transaction) => createRateLimitsTable(new Schema(transaction)))
  return database
}

onEveryDatabase((_name, open, create) => {
  rateLimitContract(async (t, count) => {
    const url = await create()
    const opened = Array.from({ length: count }, () => connect(`${url}?pool=1`))
    const databases = await Promise.all(opened)
    t.after(() => Promise.all(databases.map((database) => database.close())))
    for (const database of databases.slice(0, 1)) await migrate(database)
    return databases.map((database) => new SqlRateLimits(database, { throwables: failing() }))
  })

  test('expired counters are swept, the others stay', async (t) => {
    const database = await migrate(await open(t))
    const store = new SqlRateLimits(database)
    for (let name = 0; name < 500; name += 1) await store.hit(digestOf(`${name}`), rule, 1000)
    await store.hit(digestOf('young'), rule, 1030)
    assert.equal(await store.sweep(1060), 500)
    assert.equal(await rowsIn(database), 1)
    assert.equal((await store.hit(digestOf('young'), rule, 1060)).allowed, false)
  })

  test('stored data reveals neither the client nor the route', async (t) => {
    const database = await migrate(await open(t))
    await new SqlRateLimits(database).hit(digestOf('192.0.2.1'), rule, 1000)
    const rows = await database.rows(sql`SELECT * FROM rate_limits`)
    assert.deepEqual(Object.keys(rows[0] ?? {}), ['digest', 'hits', 'earlier', 'ends', 'allowed'])
  })

  test('without its table the first hit names the missing migration', async (t) => {
    const store = new SqlRateLimits(await open(t))
    await assert.rejects(async () => store.hit(digestOf('a'), rule, 1000), {
      code: 'E_RATE_LIMIT',
      message: /table rate_limits .* createRateLimitsTable\(schema\)/,
    })
  })

  test('while the database is down each process counts for itself, reported once', async () => {
    const database = await migrate(await open(null))
    const reported: Error[] = []
    const throwables = createThrowables()
    throwables.reporters.push((error) => reported.push(error))
    const store = new SqlRateLimits(database, { throwables })
    await database.close()
    const hit = async (): Promise<boolean> =>
      (await store.hit(digestOf('a'), { ...rule, limit: 2 }, 1000)).allowed
    assert.deepEqual([await hit(), await hit(), await hit()], [true, true, false])
    assert.deepEqual(
      reported.map((error) => 'code' in error && error.code),
      ['E_RATE_LIMIT_STORE'],
    )
  })
})

/** What falls back counts apart, and would be taken for a wrong count. */
function failing(): Throwables {
  const throwables = createThrowables()
  throwables.reporters.push((error) => {
    process.exitCode = 1
    console.error(error)
  })
  return throwables
}
