import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/database/connect.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Database } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { DatabaseServer } from '../support/database-server.ts'
import { startDelayProxy } from '../support/delay-proxy.ts'
import { startOwnMariadb } from '../support/mariadb-server.ts'
import { waitFor } from '../support/wait-for.ts'

const found = await startOwnMariadb().catch((error: Error) => error)
const missing = found instanceof Error && found.message

const endless = 'select count(*) from seq_1_to_1000000 as a, seq_1_to_1000000 as b'

describe('a MariaDB that fails', { skip: missing }, () => {
  let server: DatabaseServer
  let url = ''
  let watcher: Database

  before(async () => {
    if (found instanceof Error) throw found
    server = found
    url = await server.createDatabase()
    watcher = await connect(url)
    await watcher.run(sql`create table notes (id int primary key) engine innodb`)
  })

  after(async () => {
    await watcher.close()
    await server.stop()
  })

  async function idOf(database: Pick<Database, 'rows'>): Promise<number> {
    const [row] = await database.rows(sql`select connection_id() as id`)
    return Number(row?.['id'])
  }

  async function stateOf(id: number): Promise<string | null> {
    const list = sql`select command from information_schema.processlist where id = ${id}`
    const [row] = await watcher.rows(list)
    return row === undefined ? null : String(row['command'])
  }

  async function kill(id: number): Promise<void> {
    await watcher.run({ sql: `kill ${id}`, parameters: [] })
    await waitFor('the end of the session', async () => (await stateOf(id)) === null)
  }

  test('a server that is killed under load and restarted fails only the statements in between', async (t) => {
    const database = await connect(`${url}?pool=4`)
    t.after(() => database.close())
    const outcomes: string[] = []
    const acknowledged: number[] = []
    const load = { isOver: false }
    let id = 0
    const insert = async (): Promise<void> => {
      id += 1
      const mine = id
      await database.transaction((transaction) =>
        transaction.run(sql`insert into notes values (${mine})`),
      )
      acknowledged.push(mine)
    }
    const pair = async (): Promise<void> => {
      const [one, other] = database.pipeline(
        { sql: 'select 1', parameters: [] },
        { sql: 'select ? as a', parameters: [2] },
      )
      await Promise.all([one.settled(), other.settled()])
    }
    const single = async (): Promise<void> => {
      await database.run(sql`select sleep(0.002)`)
    }
    const client = async (work: () => Promise<void>): Promise<void> => {
      while (!load.isOver) {
        outcomes.push(await work().then(() => 'fine', codeOf))
        await sleep(1)
      }
    }
    const clients = [insert, pair, single].flatMap((work) => [1, 2, 3, 4].map(() => client(work)))
    await waitFor('load', () => outcomes.length > 100)
    await server.kill()
    await waitFor('failures', () => outcomes.filter((outcome) => outcome !== 'fine').length > 100)
    await server.restart()
    const downTo = outcomes.length
    await waitFor(
      'recovery',
      () => outcomes.slice(downTo).filter((outcome) => outcome === 'fine').length > 200,
    )
    load.isOver = true
    await Promise.all(clients)
    assert.deepEqual(new Set(outcomes), new Set(['fine', 'E_CONNECTION_LOST']))
    assert.deepEqual(new Set(outcomes.slice(-100)), new Set(['fine']))
    await database.ping()
    await watcher.ping()
    const kept = new Set((await watcher.rows(sql`select id from notes`)).map((row) => row['id']))
    assert.deepEqual(
      acknowledged.filter((one) => !kept.has(one)),
      [],
    )
    await watcher.run(sql`delete from notes`)
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
      await assert.rejects(database.run(sql`select 1`), {
        code: 'E_CONNECTION_LOST',
        message: /^no connection to mariadb:\/\/127\.0\.0\.1:\d+\/\w+: nothing is listening there$/,
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

  for (const tls of ['off', 'unverified']) {
    test(`a session killed while idle is replaced without an error, with tls=${tls}`, async (t) => {
      const database = await connect(`${url}?pool=1&tls=${tls}`)
      t.after(() => database.close())
      const id = await idOf(database)
      await kill(id)
      await waitFor('a new session', async () => (await idOf(database).catch(() => id)) !== id)
      assert.deepEqual(await database.rows(sql`select 1 as a`), [{ a: 1 }])
    })

    test(`a session killed while working fails that statement and those behind it, with tls=${tls}`, async (t) => {
      const database = await connect(`${url}?pool=1&tls=${tls}`)
      t.after(() => database.close())
      const id = await idOf(database)
      const [one, other] = database.pipeline(
        { sql: endless, parameters: [] },
        { sql: 'select 1', parameters: [] },
      )
      await waitFor('the statement to run', async () =>
        ['Execute', 'Query'].includes((await stateOf(id)) ?? ''),
      )
      await kill(id)
      await assert.rejects(one.settled(), { code: 'E_CONNECTION_LOST' })
      await assert.rejects(other.settled(), { code: 'E_CONNECTION_LOST' })
      assert.notEqual(await idOf(database), id)
    })
  }

  test('a killed statement is an error, and its session goes on', async (t) => {
    const database = await connect(`${url}?pool=1`)
    t.after(() => database.close())
    const id = await idOf(database)
    const work = database.run({ sql: endless, parameters: [] })
    await waitFor('the statement to run', async () => (await stateOf(id)) === 'Execute')
    await watcher.run({ sql: `kill query ${id}`, parameters: [] })
    await assert.rejects(work, {
      code: 'E_STATEMENT_TIMEOUT',
      message: /stopped by an administrator/,
    })
    assert.equal(await idOf(database), id)
  })

  test('a transaction whose session is killed is an error and not committed', async (t) => {
    const database = await connect(`${url}?pool=1`)
    t.after(() => database.close())
    const lost = database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (1)`)
      await kill(await idOf(transaction))
    })
    await assert.rejects(lost, { code: 'E_CONNECTION_LOST' })
    const later = database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (2)`)
      await kill(await idOf(transaction))
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

  for (const tls of ['off', 'unverified']) {
    test(`a server that stops responding is abandoned after its timeout and five seconds, with tls=${tls}`, async (t) => {
      const { port } = server
      const proxy = await startDelayProxy(port, 0)
      t.after(() => proxy.close())
      const far = url.replace(`:${port}/`, `:${proxy.port}/`)
      const options = `statement_timeout=0.5&connect_timeout=0.5&pool_timeout=20&tls=${tls}`
      // On a busy machine the first time may take longer than the limit.
      const database = await waitFor('a connection', () =>
        connect(`${far}?pool=1&${options}`).catch(() => false as const),
      )
      proxy.freeze()
      await assert.rejects(database.run(sql`select 1`), {
        code: 'E_CONNECTION_LOST',
        message: /was silent for 5\.5 s/,
      })
      await assert.rejects(database.run(sql`select 1`), /did not answer within connect_timeout/)
      await database.close()
    })
  }

  test('an exhausted pool has its own error and recovers', async (t) => {
    const database = await connect(`${url}?pool=2&pool_timeout=0.2`)
    t.after(() => database.close())
    // Both connections wait for a lock that is held until all others have given up.
    const slow = await watcher.transaction(async (holder) => {
      await holder.run(sql`select get_lock('held', 0)`)
      const held = [1, 2].map(() =>
        database.run(sql`select get_lock('held', 30), release_lock('held')`),
      )
      const waiting = await Promise.allSettled(
        Array.from({ length: 20 }, () => database.run(sql`select 1`)),
      )
      for (const outcome of waiting) {
        assert.equal(outcome.status === 'rejected' && codeOf(outcome.reason), 'E_POOL_TIMEOUT')
      }
      await holder.run(sql`select release_lock('held')`)
      return held
    })
    await Promise.all(slow)
    assert.deepEqual(await database.rows(sql`select 1 as a`), [{ a: 1 }])
  })
})

function codeOf(error: unknown): string {
  return error instanceof DatabaseError ? error.code : String(error)
}
