import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/database/connect.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Database } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { DatabaseServer } from '../support/database-server.ts'
import { startDelayProxy } from '../support/delay-proxy.ts'
import { startOwnPostgres } from '../support/postgres-server.ts'
import { waitFor } from '../support/wait-for.ts'

const found = await startOwnPostgres().catch((error: Error) => error)
const missing = found instanceof Error && found.message
const select = { sql: 'select 1', parameters: [] }

describe('a PostgreSQL that fails', { skip: missing }, () => {
  let server: DatabaseServer
  let url = ''
  let watcher: Database

  before(async () => {
    if (found instanceof Error) throw found
    server = found
    url = await server.createDatabase()
    watcher = await connect(url)
    await watcher.run(sql`create table notes (id int)`)
  })

  after(async () => {
    await watcher.close()
    await server.stop()
  })

  async function terminate(pid: unknown): Promise<void> {
    await watcher.run(sql`select pg_terminate_backend(${Number(pid)}::int)`)
    await waitFor('the end of the session', async () => {
      const rows = await watcher.rows(
        sql`select 1 from pg_stat_activity where pid = ${Number(pid)}::int`,
      )
      return rows.length === 0
    })
  }

  async function pidOf(database: Database): Promise<unknown> {
    const [row] = await database.rows(sql`select pg_backend_pid() as pid`)
    return row?.['pid']
  }

  test('a server that is killed under load and restarted fails only the statements in between', async (t) => {
    const database = await connect(`${url}?pool=4`)
    t.after(() => database.close())
    const outcomes: string[] = []
    const load = new AbortController()
    const kinds = [
      () => database.run(sql`select pg_sleep(0.002)`),
      () => database.transaction((transaction) => transaction.run(sql`select 1`)),
      () => database.pipeline(select, select)[1].settled(),
    ]
    const ask = async (kind: () => Promise<unknown>): Promise<void> => {
      while (!load.signal.aborted) {
        outcomes.push(await kind().then(() => 'fine', codeOf))
        await sleep(1)
      }
    }
    const clients = [...kinds, ...kinds, ...kinds, ...kinds].map(ask)
    await waitFor('load', () => outcomes.length > 100)
    await server.kill()
    await waitFor('failures', () => outcomes.filter((outcome) => outcome !== 'fine').length > 100)
    await server.restart()
    const downTo = outcomes.length
    await waitFor(
      'recovery',
      () => outcomes.slice(downTo).filter((outcome) => outcome === 'fine').length > 200,
    )
    load.abort()
    await Promise.all(clients)
    assert.deepEqual(new Set(outcomes), new Set(['fine', 'E_CONNECTION_LOST']))
    assert.deepEqual(new Set(outcomes.slice(-100)), new Set(['fine']))
    await database.ping()
    await watcher.ping()
  })

  test('while the server is down each statement fails at once, and ping too', async (t) => {
    const database = await connect(url)
    t.after(() => database.close())
    await server.kill()
    try {
      await waitFor('the loss to be noticed', () =>
        database.ping().then(
          () => false,
          () => true,
        ),
      )
      await assert.rejects(database.run(sql`select 1`), (error: DatabaseError) => {
        assert.match(
          error.message,
          /^no connection to postgres:\/\/127\.0\.0\.1:\d+\/\w+: nothing is listening there$/,
        )
        return error.code === 'E_CONNECTION_LOST'
      })
      await assert.rejects(
        database.transaction(() => undefined),
        { code: 'E_CONNECTION_LOST' },
      )
      await assert.rejects(database.ping(), { code: 'E_CONNECTION_LOST' })
    } finally {
      await server.restart()
    }
    assert.deepEqual(await database.rows(sql`select 1 as a`), [{ a: 1 }])
  })

  test('a session terminated while idle is replaced', async (t) => {
    const database = await connect(`${url}?pool=1`)
    t.after(() => database.close())
    const pid = await pidOf(database)
    await terminate(pid)
    await waitFor('a new session', async () => (await pidOf(database).catch(() => pid)) !== pid)
    assert.deepEqual(await database.rows(sql`select 1 as a`), [{ a: 1 }])
  })

  test('a session terminated while working fails that statement and those behind it', async (t) => {
    const database = await connect(`${url}?pool=1`)
    t.after(() => database.close())
    const pid = await pidOf(database)
    const [one, other] = database.pipeline(
      { sql: 'select pg_sleep(30)', parameters: [] },
      { sql: 'select 1', parameters: [] },
    )
    await waitFor('the statement to run', async () => {
      const rows = await watcher.rows(
        sql`select 1 from pg_stat_activity where pid = ${Number(pid)}::int and state = 'active'`,
      )
      return rows.length === 1
    })
    await terminate(pid)
    await assert.rejects(one.settled(), { code: 'E_CONNECTION_LOST', native: '57P01' })
    await assert.rejects(other.settled(), { code: 'E_CONNECTION_LOST' })
    assert.notEqual(await pidOf(database), pid)
  })

  test('the next statement after a terminated session uses another connection', async (t) => {
    const database = await connect(`${url}?pool=1`)
    t.after(() => database.close())
    for (let index = 0; index < 10; index += 1) {
      const suicide = database.run(sql`select pg_terminate_backend(pg_backend_pid())`)
      await assert.rejects(suicide, { code: 'E_CONNECTION_LOST' })
      assert.deepEqual(await database.rows(sql`select 1 as a`), [{ a: 1 }])
    }
  })

  test('a transaction whose session is terminated is an error and not committed', async (t) => {
    const database = await connect(`${url}?pool=1`)
    t.after(() => database.close())
    const lost = database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (1)`)
      const [row] = await transaction.rows(sql`select pg_backend_pid() as pid`)
      await terminate(row?.['pid'])
    })
    await assert.rejects(lost, { code: 'E_CONNECTION_LOST' })
    const later = database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (2)`)
      const [row] = await transaction.rows(sql`select pg_backend_pid() as pid`)
      await terminate(row?.['pid'])
      await transaction.run(sql`insert into notes values (3)`)
    })
    await assert.rejects(later, { code: 'E_CONNECTION_LOST' })
    assert.deepEqual(await database.rows(sql`select * from notes`), [])
  })

  test('a commit without a reply is in doubt, and the error says so', async (t) => {
    const { port } = server
    const proxy = await startDelayProxy(port, 0)
    t.after(() => proxy.close())
    const database = await connect(url.replace(`:${port}/`, `:${proxy.port}/`))
    const work = database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (4)`)
      // The next reply is the one to COMMIT.
      proxy.cutAtAnswer()
    })
    await assert.rejects(work, /it is unknown whether the transaction was committed/)
    await database.close()
    await watcher.run(sql`delete from notes`)
  })

  test('a server that stops responding is abandoned after its timeout and five seconds', async (t) => {
    const { port } = server
    const proxy = await startDelayProxy(port, 0)
    t.after(() => proxy.close())
    const far = url.replace(`:${port}/`, `:${proxy.port}/`)
    // On a busy machine the first time may take longer than the limit.
    const database = await waitFor('a connection', () =>
      connect(`${far}?statement_timeout=0.5&connect_timeout=0.5`).catch(() => false as const),
    )
    proxy.freeze()
    await assert.rejects(database.run(sql`select 1`), (error: DatabaseError) => {
      assert.match(error.message, /was silent for 5\.5 s/)
      return error.code === 'E_CONNECTION_LOST'
    })
    await assert.rejects(database.run(sql`select 1`), /did not answer within connect_timeout/)
    await database.close()
  })
})

function codeOf(error: unknown): string {
  return error instanceof DatabaseError ? error.code : String(error)
}
