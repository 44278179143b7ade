import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import type { Operation } from '../../src/database/operation.ts'
import type { Query } from '../../src/database/sql/plan/statement.ts'
import type { Database } from '../../src/database/surface.ts'
import { startDelayProxy } from '../support/delay-proxy.ts'
import type { DelayProxy } from '../support/delay-proxy.ts'
import { onDatabase } from '../support/test-databases.ts'
import type { CreateDatabase } from '../support/test-databases.ts'

const texts = {
  postgres: {
    read: 'select a + $1::int as b from notes',
    sleep: 'select pg_sleep(0)',
    failing: 'select 1 / $1::int',
  },
  mariadb: {
    read: 'select a + ? as b from notes',
    sleep: 'select sleep(0)',
    failing: 'select a from nowhere where a = ?',
  },
}

interface Near {
  readonly database: Database
  readonly proxy: DelayProxy
}

/** One connection, and a table with one row, 1. Statements that are repeated are prepared already. */
async function openNear(
  t: TestContext,
  create: CreateDatabase,
  warm: readonly Query[],
): Promise<Near> {
  const url = new URL(await create())
  const proxy = await startDelayProxy(Number(url.port), 5)
  url.port = String(proxy.port)
  const database = await connect(`${url.href}?pool=1`)
  t.after(async () => {
    await database.close()
    await proxy.close()
  })
  await database.run({ sql: 'create table notes (a int primary key)', parameters: [] })
  await database.run({ sql: 'insert into notes values (1)', parameters: [] })
  for (const query of warm) await database.run(query).catch(() => undefined)
  return { database, proxy }
}

/** The round trips of statements that waited for the connection of a transaction, with its COMMIT. */
async function tripsOf(
  { database, proxy }: Near,
  send: () => readonly Promise<unknown>[],
): Promise<number> {
  const waiting = await database.transaction(() => {
    proxy.reset()
    return { results: send() }
  })
  await Promise.all(waiting.results)
  return proxy.roundTrips()
}

for (const name of ['postgres', 'mariadb'] as const) {
  onDatabase(name, (_name, _open, create) => {
    const { read, sleep, failing } = texts[name]
    const readOf = (value: number): Query => ({ sql: read, parameters: [value] })
    const command = (sql: string): Query => ({ sql, parameters: [] })

    test('reads of several callers that wait for a connection are sent together, and each has its rows', async (t) => {
      const near = await openNear(t, create, [readOf(0)])
      const trips = await tripsOf(near, () =>
        [1, 2, 3, 4, 5].map(async (value) =>
          assert.deepEqual((await near.database.run(readOf(value))).rows[0], {
            b: name === 'postgres' ? value + 1 : BigInt(value + 1),
          }),
        ),
      )
      assert.equal(trips, 2)
    })

    test('pipelines of reads are sent together too', async (t) => {
      const near = await openNear(t, create, [readOf(0)])
      const trips = await tripsOf(near, () =>
        [1, 2, 3].flatMap((value) =>
          near.database.pipeline(readOf(value), readOf(-value)).map((sent) => sent.settled()),
        ),
      )
      assert.equal(trips, 2)
    })

    test('nothing is sent behind a write, a lock or a call of a function, or before one', async (t) => {
      const others = ['update notes set a = a', 'select a from notes for update', sleep].map(
        command,
      )
      const near = await openNear(t, create, [readOf(0), ...others])
      for (const other of others) {
        const trips = await tripsOf(near, () =>
          [readOf(1), readOf(2), other, readOf(3), readOf(4)].map((query) =>
            near.database.run(query),
          ),
        )
        assert.equal(trips, 4, other.sql)
      }
    })

    test('a transaction has its connection to itself', async (t) => {
      const near = await openNear(t, create, [readOf(0)])
      const { database } = near
      let isOpen = false
      const whileClosed = async (): Promise<void> => {
        await database.run(readOf(1))
        assert.equal(isOpen, false)
      }
      await tripsOf(near, () => [
        whileClosed(),
        whileClosed(),
        database.transaction(async (transaction) => {
          isOpen = true
          await transaction.run(readOf(1))
          isOpen = false
        }),
        whileClosed(),
      ])
    })

    test('a read that fails does not affect those around it', async (t) => {
      const { database } = await openNear(t, create, [readOf(0)])
      const wrong = { sql: failing, parameters: [0] }
      for (let times = 0; times < 3; times += 1) {
        const { results } = await database.transaction(() => ({
          results: Promise.allSettled(
            [readOf(1), wrong, readOf(2), wrong, readOf(3)].map((query) => database.run(query)),
          ),
        }))
        assert.deepEqual(
          (await results).map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
        )
      }
      await database.run(command('update notes set a = a'))
    })

    /** Runs `work` while another session has locked the table `locked`. */
    async function whileLocked(
      t: TestContext,
      options: string,
      work: (database: Database) => Promise<Operation>,
    ): Promise<void> {
      const url = await create()
      const [database, other] = [await connect(`${url}?${options}`), await connect(`${url}?pool=1`)]
      t.after(() => Promise.all([database.close(), other.close()]))
      for (const table of ['locked', 'notes']) {
        await database.run(command(`create table ${table} (a int)`))
      }
      let slow: Operation | null = null
      if (name === 'postgres') {
        await other.transaction(async (transaction) => {
          await transaction.run(command('lock table locked in access exclusive mode'))
          slow = await work(database)
        })
      } else {
        await other.run(command('lock tables locked write'))
        slow = await work(database)
        await other.run(command('unlock tables'))
      }
      await slow?.settled()
    }

    test('a read that has been sent holds up none that come after it', async (t) => {
      await whileLocked(t, 'pool=2', async (database) => {
        const slow = database.dispatch(command('select a from locked'))
        await Promise.all(Array.from({ length: 30 }, (_, value) => database.run(readOf(value))))
        assert.equal(slow.state, 'pending')
        return slow
      })
    })

    test('with pipeline=off a read holds up none that waited with it', async (t) => {
      await whileLocked(t, 'pool=2&pipeline=off', async (database) => {
        const waiting = await database.transaction(() =>
          database.transaction(() => {
            const slow = database.dispatch(command('select a from locked'))
            return { slow, reads: [1, 2, 3].map((value) => database.run(readOf(value))) }
          }),
        )
        await Promise.all(waiting.reads)
        assert.equal(waiting.slow.state, 'pending')
        return waiting.slow
      })
    })

    test('when the connection breaks, every read on it fails once with E_CONNECTION_LOST', async (t) => {
      const { database, proxy } = await openNear(t, create, [readOf(0)])
      const failures: unknown[] = []
      const { results } = await database.transaction(() => ({
        results: [1, 2, 3].map((value) =>
          database.run(readOf(value)).then(
            () => assert.fail('it has rows'),
            (error: unknown) => failures.push(Object(error).code),
          ),
        ),
      }))
      proxy.cutAtAnswer()
      await Promise.all(results)
      assert.deepEqual(failures, ['E_CONNECTION_LOST', 'E_CONNECTION_LOST', 'E_CONNECTION_LOST'])
    })
  })
}
