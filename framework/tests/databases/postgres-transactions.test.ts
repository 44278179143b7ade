import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { DatabaseError, BusyError } from '../../src/database/database-error.ts'
import type { Database, Transaction } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onDatabase } from '../support/test-databases.ts'
import type { OpenDatabase } from '../support/test-databases.ts'

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof DatabaseError && error.code === code
}

async function openNotes(open: OpenDatabase, t: TestContext, options?: string): Promise<Database> {
  const database = await open(t, options)
  await database.run(sql`create table notes (id int primary key deferrable initially deferred)`)
  return database
}

async function notes(database: Database): Promise<unknown[]> {
  const rows = await database.rows(sql`select id from notes order by id`)
  return rows.map(({ id }) => id)
}

onDatabase('postgres', (_name, open) => {
  test('a transaction is committed when its function resolves and rolled back when it throws', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    const outcome = await database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (1)`)
      return 'kept'
    })
    assert.equal(outcome, 'kept')
    const thrown = new Error('mine')
    const late: Transaction[] = []
    const failing = database.transaction(async (transaction) => {
      late.push(transaction)
      await transaction.run(sql`insert into notes values (2)`)
      throw thrown
    })
    await assert.rejects(failing, (error) => error === thrown)
    await assert.rejects(
      Promise.all(late.map((transaction) => transaction.run(sql`insert into notes values (3)`))),
      hasCode('E_DATABASE_CLOSED'),
    )
    assert.deepEqual(await notes(database), [1])
  })

  test('concurrent statements of others are outside the transaction', async (t) => {
    const database = await openNotes(open, t)
    await database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (1)`)
      assert.deepEqual(await notes(database), [])
      await database.run(sql`insert into notes values (2)`)
    })
    assert.deepEqual(await notes(database), [1, 2])
  })

  test('a transaction runs one statement at a time and rejects a pipeline', async (t) => {
    const database = await openNotes(open, t)
    await database.transaction(async (transaction) => {
      assert.equal(transaction.serial, true)
      const first = transaction.dispatch({ sql: 'select 1', parameters: [] })
      assert.throws(() => transaction.dispatch({ sql: 'select 2', parameters: [] }), BusyError)
      await first.settled()
      const query = { sql: 'select 1', parameters: [] }
      assert.throws(() => transaction.pipeline(query, query), BusyError)
    })
  })

  test('a nested transaction rolls back its own work and leaves the outer one usable', async (t) => {
    const database = await openNotes(open, t)
    await database.transaction(async (outer) => {
      await outer.run(sql`insert into notes values (1)`)
      await assert.rejects(
        outer.transaction(async (inner) => {
          await inner.run(sql`insert into notes values (2)`)
          await inner.run(sql`select * from nowhere`)
        }),
        hasCode('E_STATEMENT'),
      )
      await outer.transaction((inner) => inner.run(sql`insert into notes values (3)`))
    })
    assert.deepEqual(await notes(database), [1, 3])
  })

  test('a transaction whose failed statement was swallowed fails', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    const work = database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (1)`)
      await transaction.run(sql`select * from nowhere`).catch(() => undefined)
    })
    await assert.rejects(work, /was rolled back because one of its statements had failed/)
    assert.deepEqual(await notes(database), [])
  })

  test('a statement after a failed one says what to do', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    const work = database.transaction(async (transaction) => {
      await transaction.run(sql`select * from nowhere`).catch(() => undefined)
      await transaction.run(sql`select 1`)
    })
    await assert.rejects(work, /an earlier statement of the transaction failed; let its error end/)
    assert.deepEqual(await notes(database), [])
  })

  test('a statement that was not awaited belongs to the transaction, and so does its failure', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    await database.transaction((transaction) => {
      transaction.dispatch({ sql: 'insert into notes values (1)', parameters: [] })
    })
    assert.deepEqual(await notes(database), [1])
    const work = database.transaction((transaction) => {
      transaction.dispatch({ sql: 'select * from nowhere', parameters: [] })
    })
    await assert.rejects(work, /was rolled back/)
  })

  test('a deferred constraint fails the commit, and the connection stays usable', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    const [{ pid } = {}] = await database.rows(sql`select pg_backend_pid() as pid`)
    const work = database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (1), (1)`)
    })
    await assert.rejects(work, hasCode('E_DUPLICATE_KEY'))
    const [row] = await database.rows(sql`select pg_backend_pid() as pid`)
    assert.deepEqual(row, { pid })
  })

  test('a transaction that ends before its nested one is rolled back, and neither sends more', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    const late: Transaction[] = []
    const forgotten: Promise<unknown>[] = []
    const pause = Promise.withResolvers<void>()
    const work = database.transaction(async (transaction) => {
      late.push(transaction)
      await transaction.run(sql`insert into notes values (1)`)
      const inside = transaction.transaction(async (inner) => {
        await pause.promise
        await inner.run(sql`insert into notes values (2)`)
      })
      forgotten.push(inside)
    })
    await assert.rejects(work, BusyError)
    pause.resolve()
    await assert.rejects(Promise.all(forgotten), hasCode('E_DATABASE_CLOSED'))
    for (const transaction of late) {
      await assert.rejects(
        transaction.run(sql`insert into notes values (3)`),
        hasCode('E_DATABASE_CLOSED'),
      )
    }
    assert.deepEqual(await notes(database), [])
  })

  test('isolation level and read-only mode are applied', async (t) => {
    const database = await openNotes(open, t)
    const told = sql`select current_setting('transaction_isolation') as level, current_setting('transaction_read_only') as reads`
    const cases = [
      [{}, { level: 'read committed', reads: 'off' }],
      [{ isolation: 'repeatable-read' }, { level: 'repeatable read', reads: 'off' }],
      [
        { isolation: 'serializable', readOnly: true },
        { level: 'serializable', reads: 'on' },
      ],
    ] as const
    for (const [options, expected] of cases) {
      const [row] = await database.transaction((transaction) => transaction.rows(told), options)
      assert.deepEqual(row, expected)
    }
    await assert.rejects(
      database.transaction((transaction) => transaction.run(sql`delete from notes`), {
        readOnly: true,
      }),
      /is read-only/,
    )
  })

  test('of two deadlocked transactions one continues and one can be retried', async (t) => {
    const database = await openNotes(open, t)
    await database.run(sql`insert into notes values (1), (2)`)
    const bothHaveOne = Promise.withResolvers<void>()
    let ready = 0
    const cross = (first: number, second: number): Promise<unknown> =>
      database.transaction(async (transaction) => {
        await transaction.run(sql`select * from notes where id = ${first} for update`)
        ready += 1
        if (ready === 2) bothHaveOne.resolve()
        await bothHaveOne.promise
        await transaction.run(sql`select * from notes where id = ${second} for update`)
      })
    const outcomes = await Promise.allSettled([cross(1, 2), cross(2, 1)])
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    )
    assert.equal(failures.length, 1)
    assert.ok(failures[0] instanceof DatabaseError)
    assert.deepEqual([failures[0].code, failures[0].retryable], ['E_DEADLOCK', true])
  })

  test('a serialization failure can be retried', async (t) => {
    const database = await openNotes(open, t)
    await database.run(sql`insert into notes values (1)`)
    const work = database.transaction(
      async (transaction) => {
        await transaction.rows(sql`select * from notes`)
        await database.run(sql`update notes set id = 5`)
        await transaction.run(sql`update notes set id = 6`)
      },
      { isolation: 'repeatable-read' },
    )
    await assert.rejects(work, hasCode('E_DEADLOCK'))
    assert.deepEqual(await notes(database), [5])
  })

  test('NOWAIT on a locked row is a busy database', async (t) => {
    const database = await openNotes(open, t)
    await database.run(sql`insert into notes values (1)`)
    await database.transaction(async (transaction) => {
      await transaction.run(sql`select * from notes for update`)
      await assert.rejects(
        database.run(sql`select * from notes for update nowait`),
        hasCode('E_DATABASE_BUSY'),
      )
    })
  })

  test('a transaction begun by hand on the pool is rejected and leaves nothing behind', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    await assert.rejects(database.run(sql`begin`), /use database\.transaction\(\)/)
    await database.run(sql`insert into notes values (1)`)
    await assert.rejects(database.run(sql`rollback; select 1`))
    assert.deepEqual(await notes(database), [1])
  })
})
