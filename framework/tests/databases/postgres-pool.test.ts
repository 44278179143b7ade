import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { startDelayProxy } from '../support/delay-proxy.ts'
import { onDatabase } from '../support/test-databases.ts'
import { waitFor } from '../support/wait-for.ts'

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof DatabaseError && error.code === code
}

onDatabase('postgres', (_name, open, create) => {
  test('no more connections are made than the URL allows', async (t) => {
    const database = await open(t, 'pool=3')
    const three = Promise.withResolvers<void>()
    let begun = 0
    const counts = await Promise.all(
      Array.from({ length: 12 }, () =>
        database.transaction(async (transaction) => {
          begun += 1
          if (begun === 3) three.resolve()
          await three.promise
          const [row] = await transaction.rows(
            sql`select count(*)::int as count from pg_stat_activity
              where datname = current_database() and backend_type = 'client backend'`,
          )
          return row?.['count']
        }),
      ),
    )
    assert.deepEqual(new Set(counts), new Set([3]))
  })

  test('a pool timeout describes the state of the pool', async (t) => {
    const database = await open(t, 'pool=1&pool_timeout=0.1')
    await database.transaction(async () => {
      await assert.rejects(database.run(sql`select 1`), (error: DatabaseError) => {
        assert.match(error.message, /within 0\.1 s: 1 of 1 are in use/)
        return error.code === 'E_POOL_TIMEOUT'
      })
      await assert.rejects(
        database.transaction(() => undefined),
        hasCode('E_POOL_TIMEOUT'),
      )
      for (const operation of database.pipeline(
        { sql: 'select 1', parameters: [] },
        { sql: 'select 2', parameters: [] },
      )) {
        await assert.rejects(operation.settled(), hasCode('E_POOL_TIMEOUT'))
      }
    })
    assert.deepEqual(await database.rows(sql`select 1 as a`), [{ a: 1 }])
  })

  test('ping resolves while the database responds, and rejects with the reason otherwise', async (t) => {
    const url = new URL(await create())
    const proxy = await startDelayProxy(Number(url.port), 0)
    t.after(() => proxy.close())
    url.port = String(proxy.port)
    const database = await connect(url.href)
    await database.ping()
    proxy.freeze()
    await assert.rejects(database.ping(), hasCode('E_CONNECTION_LOST'))
    await proxy.close()
    await database.close()
  })

  test('close waits for pending work and rejects new work', async () => {
    const database = await connect(await create())
    const statement = database.run(sql`select pg_sleep(0.1), 1 as a`)
    const work = database.transaction(async (transaction) => {
      await transaction.run(sql`select pg_sleep(0.1)`)
      return (await transaction.run(sql`select 1`)).affected
    })
    const closing = database.close()
    await assert.rejects(database.run(sql`select 1`), hasCode('E_DATABASE_CLOSED'))
    await assert.rejects(database.ping(), hasCode('E_DATABASE_CLOSED'))
    assert.equal((await statement).affected, 1)
    assert.equal(await work, 1)
    await closing
    await database.close()
  })

  test('close does not wait for a silent server', async () => {
    const url = new URL(await create())
    const proxy = await startDelayProxy(Number(url.port), 0)
    url.port = String(proxy.port)
    const database = await connect(url.href)
    proxy.freeze()
    await database.close()
    await proxy.close()
  })

  test('close ends the sessions on the server', async (t) => {
    const url = await create()
    const watcher = await open(t)
    const database = await connect(url)
    await Promise.all([database.run(sql`select pg_sleep(0.01)`), database.run(sql`select 1`)])
    await database.close()
    await waitFor('the end of the sessions', async () => {
      const rows = await watcher.rows(
        sql`select 1 from pg_stat_activity where datname = ${new URL(url).pathname.slice(1)}`,
      )
      return rows.length === 0
    })
  })
})
