import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { startDelayProxy } from '../support/delay-proxy.ts'
import { onDatabase } from '../support/test-databases.ts'
import { waitFor } from '../support/wait-for.ts'

async function sessions(watcher: Database, url: string): Promise<number> {
  const name = new URL(url).pathname.slice(1)
  const rows = await watcher.rows(
    sql`select id from information_schema.processlist where db = ${name}`,
  )
  return rows.length
}

onDatabase('mariadb', (_name, open, create) => {
  test('no more connections are made than the URL allows', async (t) => {
    const url = await create()
    const watcher = await open(t)
    const database = await connect(`${url}?pool=3`)
    t.after(() => database.close())
    await Promise.all(Array.from({ length: 12 }, () => database.run(sql`select sleep(0.01)`)))
    assert.equal(await sessions(watcher, url), 3)
  })

  test('a pool timeout describes the state of the pool', async (t) => {
    const database = await open(t, 'pool=1&pool_timeout=0.1')
    const query = { sql: 'select 1', parameters: [] }
    await database.transaction(async () => {
      await assert.rejects(database.run(query), {
        code: 'E_POOL_TIMEOUT',
        message: /within 0\.1 s: 1 of 1 are in use/,
      })
      await assert.rejects(
        database.transaction(() => undefined),
        { code: 'E_POOL_TIMEOUT' },
      )
      for (const operation of database.pipeline(query, query)) {
        await assert.rejects(operation.settled(), { code: 'E_POOL_TIMEOUT' })
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
    await assert.rejects(database.ping(), {
      code: 'E_CONNECTION_LOST',
      message: 'the database did not answer within 3 s',
    })
    await proxy.close()
    await database.close()
  })

  test('close waits for pending work and rejects new work', async () => {
    const database = await connect(await create())
    const statement = database.run(sql`select sleep(0.1), 1 as a`)
    const work = database.transaction(async (transaction) => {
      await transaction.run(sql`select sleep(0.1)`)
      return (await transaction.run(sql`select 1`)).affected
    })
    const closing = database.close()
    await assert.rejects(database.run(sql`select 1`), { code: 'E_DATABASE_CLOSED' })
    await assert.rejects(database.ping(), { code: 'E_DATABASE_CLOSED' })
    assert.equal((await statement).affected, 1)
    assert.equal(await work, 1)
    await closing
    await database.close()
  })

  for (const tls of ['off', 'unverified']) {
    test(`close ends the sessions on the server, with tls=${tls}`, async (t) => {
      const url = await create()
      const watcher = await open(t)
      const database = await connect(`${url}?tls=${tls}`)
      await database.transaction(async (transaction) => {
        await transaction.run(sql`select 1`)
        await database.run(sql`select 1`)
      })
      assert.equal(await sessions(watcher, url), 2)
      await database.close()
      await waitFor('the end of the sessions', async () => (await sessions(watcher, url)) === 0)
    })
  }
})
