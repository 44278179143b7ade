import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { DatabaseError, BusyError } from '../../src/database/database-error.ts'
import type { Database, Transaction, TransactionOptions } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onDatabase } from '../support/test-databases.ts'
import type { OpenDatabase } from '../support/test-databases.ts'

async function openNotes(open: OpenDatabase, t: TestContext, options?: string): Promise<Database> {
  const database = await open(t, options)
  await database.run(sql`create table notes (id int primary key, text varchar(20)) engine innodb`)
  return database
}

async function notes(database: Database): Promise<unknown[]> {
  const rows = await database.rows(sql`select id from notes order by id`)
  return rows.map(({ id }) => id)
}

/**
 * Two transactions that lock two rows in opposite orders; `end` is how the loser's work goes on.
 */
async function deadlock(
  database: Database,
  end: (transaction: Transaction, error: unknown) => Promise<unknown>,
): Promise<readonly PromiseSettledResult<unknown>[]> {
  await database.run(sql`insert into notes values (1, ''), (2, '')`)
  const bothHaveOne = Promise.withResolvers<void>()
  let ready = 0
  const cross = (first: number, second: number): Promise<unknown> =>
    database.transaction(async (transaction) => {
      await transaction.run(sql`update notes set text = 'mine' where id = ${first}`)
      ready += 1
      if (ready === 2) bothHaveOne.resolve()
      await bothHaveOne.promise
      try {
        await transaction.run(sql`update notes set text = 'mine' where id = ${second}`)
      } catch (error) {
        await end(transaction, error)
      }
    })
  return Promise.allSettled([cross(1, 2), cross(2, 1)])
}

function failuresOf(outcomes: readonly PromiseSettledResult<unknown>[]): readonly DatabaseError[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return []
    assert.ok(outcome.reason instanceof DatabaseError)
    return [outcome.reason]
  })
}

onDatabase('mariadb', (_name, open) => {
  test('a transaction is committed when its function resolves and rolled back when it throws', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    const outcome = await database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (1, '')`)
      return 'kept'
    })
    assert.equal(outcome, 'kept')
    const thrown = new Error('mine')
    await assert.rejects(
      database.transaction(async (transaction) => {
        await transaction.run(sql`insert into notes values (2, '')`)
        throw thrown
      }),
      (error) => error === thrown,
    )
    assert.deepEqual(await notes(database), [1])
  })

  test('concurrent statements of others are outside the transaction', async (t) => {
    const database = await openNotes(open, t)
    await database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (1, '')`)
      assert.deepEqual(await notes(database), [])
      await database.run(sql`insert into notes values (2, '')`)
    })
    assert.deepEqual(await notes(database), [1, 2])
  })

  test('a transaction runs one statement at a time and rejects a pipeline', async (t) => {
    const database = await openNotes(open, t)
    await database.transaction(async (transaction) => {
      assert.equal(transaction.serial, true)
      const query = { sql: 'select 1', parameters: [] }
      const first = transaction.dispatch(query)
      assert.throws(() => transaction.dispatch(query), BusyError)
      await first.settled()
      assert.throws(() => transaction.pipeline(query, query), BusyError)
    })
  })

  test('a nested transaction rolls back its own work and leaves the outer one usable', async (t) => {
    const database = await openNotes(open, t)
    await database.transaction(async (outer) => {
      await outer.run(sql`insert into notes values (1, '')`)
      await assert.rejects(
        outer.transaction(async (inner) => {
          await inner.run(sql`insert into notes values (2, '')`)
          await inner.run(sql`insert into notes values (1, '')`)
        }),
        { code: 'E_DUPLICATE_KEY' },
      )
      await outer.transaction((inner) => inner.run(sql`insert into notes values (3, '')`))
    })
    assert.deepEqual(await notes(database), [1, 3])
  })

  test('a failed statement undoes only itself, and the work may continue', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    await database.transaction(async (transaction) => {
      await transaction.run(sql`insert into notes values (1, '')`)
      await assert.rejects(transaction.run(sql`insert into notes values (2, ''), (1, '')`))
      await transaction.run(sql`insert into notes values (3, '')`)
    })
    assert.deepEqual(await notes(database), [1, 3])
  })

  test('a statement that was not awaited belongs to the transaction, and so does its failure', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    const insert = { sql: "insert into notes values (1, '')", parameters: [] }
    await database.transaction((transaction) => void transaction.dispatch(insert))
    const again = database.transaction((transaction) => void transaction.dispatch(insert))
    await assert.rejects(again, { code: 'E_DUPLICATE_KEY' })
    assert.deepEqual(await notes(database), [1])
  })

  test('after its end a transaction and those nested in it send nothing', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    const pause = Promise.withResolvers<void>()
    const kept: { late?: Transaction; forgotten?: Promise<unknown> } = {}
    const outer = database.transaction((transaction) => {
      kept.late = transaction
      kept.forgotten = transaction.transaction(async (inner) => {
        await pause.promise
        await inner.run(sql`insert into notes values (1, '')`)
      })
    })
    await assert.rejects(outer, { code: 'E_SURFACE_BUSY' })
    const late = kept.late?.run(sql`insert into notes values (2, '')`) ?? Promise.resolve()
    await assert.rejects(late, { code: 'E_DATABASE_CLOSED' })
    pause.resolve()
    await assert.rejects(kept.forgotten ?? Promise.resolve(), { code: 'E_DATABASE_CLOSED' })
    assert.deepEqual(await notes(database), [])
  })

  test('the isolation level applies to one transaction', async (t) => {
    const database = await openNotes(open, t, 'pool=2')
    const read = sql`select text from notes where id = 1`
    await database.run(sql`insert into notes values (1, 'old')`)
    const seen = (options: TransactionOptions): Promise<unknown> =>
      database.transaction(async (transaction) => {
        await database.run(sql`update notes set text = 'old'`)
        await transaction.rows(read)
        await database.run(sql`update notes set text = 'new'`)
        const [row] = await transaction.rows(read)
        return row?.['text']
      }, options)
    assert.equal(await seen({ isolation: 'read-committed' }), 'new')
    assert.equal(await seen({}), 'old')
    assert.equal(await seen({ isolation: 'repeatable-read' }), 'old')
    await database.transaction(
      async (transaction) => {
        await transaction.rows(read)
        const lock = sql`select * from notes for update nowait`
        await assert.rejects(database.run(lock), { code: 'E_DATABASE_BUSY' })
      },
      { isolation: 'serializable' },
    )
  })

  test('a read-only transaction rejects writes, the next one does not', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    const insert = sql`insert into notes values (1, '')`
    for (const isolation of ['serializable', undefined] as const) {
      const options = { readOnly: true, ...(isolation === undefined ? {} : { isolation }) }
      const work = database.transaction((transaction) => transaction.run(insert), options)
      await assert.rejects(work, { code: 'E_STATEMENT', message: /READ ONLY transaction$/ })
    }
    await database.transaction((transaction) => transaction.run(insert))
    assert.deepEqual(await notes(database), [1])
  })

  test('of two deadlocked transactions one continues and one can be retried', async (t) => {
    const database = await openNotes(open, t)
    const failures = failuresOf(await deadlock(database, (_, error) => Promise.reject(error)))
    assert.deepEqual(
      failures.map(({ code, retryable }) => [code, retryable]),
      [['E_DEADLOCK', true]],
    )
  })

  test('work that ignores a deadlock is rolled back, and fails', async (t) => {
    const database = await openNotes(open, t)
    const failures = failuresOf(
      await deadlock(database, async (transaction) => {
        await transaction.run(sql`insert into notes values (3, '')`).catch(() => undefined)
      }),
    )
    assert.deepEqual(
      failures.map(({ code }) => code),
      ['E_DEADLOCK'],
    )
    assert.deepEqual(await notes(database), [1, 2])
  })

  test('NOWAIT on a locked row is a busy database, and the work may continue', async (t) => {
    const database = await openNotes(open, t)
    await database.run(sql`insert into notes values (1, '')`)
    await database.transaction(async (transaction) => {
      await transaction.run(sql`select * from notes where id = 1 for update`)
      await database.transaction(async (other) => {
        await other.run(sql`insert into notes values (2, '')`)
        await assert.rejects(other.run(sql`select * from notes where id = 1 for update nowait`), {
          code: 'E_DATABASE_BUSY',
          retryable: true,
        })
      })
    })
    assert.deepEqual(await notes(database), [1, 2])
  })

  test('a schema change commits what came before it', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    await assert.rejects(
      database.transaction(async (transaction) => {
        await transaction.run(sql`insert into notes values (1, '')`)
        await transaction.run(sql`create table others (id int)`)
        throw new Error('too late')
      }),
      /too late/,
    )
    assert.deepEqual(await notes(database), [1])
  })

  test('a transaction begun by hand on the pool is rejected and leaves nothing behind', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    for (const begin of [sql`begin`, sql`start transaction`]) {
      await assert.rejects(database.run(begin), /use database\.transaction\(\)/)
    }
    await database.run(sql`insert into notes values (1, '')`)
    await database.run(sql`rollback`)
    assert.deepEqual(await notes(database), [1])
  })

  test('a session with completion_type=CHAIN is not reused', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    await database.transaction((transaction) => transaction.run(sql`set completion_type = 1`))
    await database.run(sql`insert into notes values (1, '')`)
    assert.deepEqual(await notes(database), [1])
  })

  test('a session with autocommit off does not lose anything silently', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    await database.run(sql`set autocommit = 0`)
    const insert = sql`insert into notes values (1, '')`
    await assert.rejects(database.run(insert), { code: 'E_STATEMENT' })
    assert.deepEqual(await notes(database), [])
    await database.run(insert)
    assert.deepEqual(await notes(database), [1])
  })

  test('sums stay exact under many concurrent transactions', async (t) => {
    const database = await openNotes(open, t, 'pool=8')
    await database.run(sql`insert into notes values (1, '0')`)
    const add = (): Promise<unknown> =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.rows(sql`select text from notes where id = 1 for update`)
        await transaction.run(sql`update notes set text = ${String(Number(row?.['text']) + 1)}`)
      })
    await Promise.all(Array.from({ length: 100 }, add))
    assert.deepEqual(await database.rows(sql`select text from notes`), [{ text: '100' }])
  })
})
