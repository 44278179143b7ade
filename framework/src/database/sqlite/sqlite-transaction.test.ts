import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from '../sql/plan/statement.ts'
import { connect } from '../connect.ts'
import type { Database, Surface, Transaction } from '../surface.ts'
import { BusyError } from '../database-error.ts'
import { IdleConnections } from './sqlite-transaction.ts'
import { SqliteConnection } from './sqlite-connection.ts'

async function memory(t: TestContext, options = 'busy_timeout=10'): Promise<Database> {
  const database = await connect(`sqlite::memory:?${options}`)
  t.after(() => database.close())
  await database.run(sql`CREATE TABLE t (a UNIQUE)`)
  return database
}

async function values(surface: Surface): Promise<unknown[]> {
  const rows = await surface.rows(sql`SELECT a FROM t ORDER BY a`)
  return rows.map((row) => row['a'])
}

function insert(surface: Surface, value: unknown): Promise<unknown> {
  return surface.run(sql`INSERT INTO t VALUES (${value})`)
}

test('the work of a transaction is committed, and its result is returned', async (t) => {
  const database = await memory(t)
  const outcome = await database.transaction(async (transaction) => {
    assert.equal(transaction.serial, true)
    assert.equal(transaction.kind, 'sync')
    assert.equal(transaction.dispatch({ sql: 'SELECT 1', parameters: [] }).state, 'done')
    await insert(transaction, 1)
    assert.deepEqual(await values(transaction), [1])
    assert.deepEqual(await values(database), [], 'nobody else sees it before the end')
    return 'outcome'
  })
  assert.equal(outcome, 'outcome')
  assert.deepEqual(await values(database), [1])
})

test('the work of a transaction is rolled back when it throws, synchronously or later', async (t) => {
  const database = await memory(t)
  const error = new Error('no')
  await assert.rejects(
    database.transaction(async (transaction) => {
      await insert(transaction, 1)
      throw error
    }),
    error,
  )
  await assert.rejects(
    database.transaction((transaction) => {
      transaction.dispatch({ sql: 'INSERT INTO t VALUES (1)', parameters: [] })
      throw error
    }),
    error,
  )
  await assert.rejects(
    database.transaction(async (transaction) => {
      await insert(transaction, 1)
      await insert(transaction, 1)
    }),
    { code: 'E_DUPLICATE_KEY' },
  )
  assert.deepEqual(await values(database), [])
})

test('a failed statement that is caught leaves the transaction usable', async (t) => {
  const database = await memory(t)
  await database.transaction(async (transaction) => {
    await insert(transaction, 1)
    await assert.rejects(insert(transaction, 1), { code: 'E_DUPLICATE_KEY' })
    await insert(transaction, 2)
  })
  assert.deepEqual(await values(database), [1, 2])
})

test('a transaction whose commit fails is rolled back and reports why', async (t) => {
  const database = await memory(t)
  await database.run(sql`CREATE TABLE p (id INTEGER PRIMARY KEY)`)
  await database.run(sql`CREATE TABLE c (p REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED)`)
  await assert.rejects(
    database.transaction(async (transaction) => {
      await insert(transaction, 1)
      await transaction.run(sql`INSERT INTO c VALUES (99)`)
    }),
    { code: 'E_FOREIGN_KEY' },
  )
  assert.deepEqual(await values(database), [])
  await database.transaction((transaction) => insert(transaction, 2))
  assert.deepEqual(await values(database), [2])
})

test('a nested transaction is rolled back alone', async (t) => {
  const database = await memory(t)
  await database.transaction(async (transaction) => {
    await insert(transaction, 1)
    await assert.rejects(
      transaction.transaction(async (inner) => {
        await insert(inner, 2)
        throw new Error('no')
      }),
    )
    await transaction.transaction((inner) => insert(inner, 3))
  })
  assert.deepEqual(await values(database), [1, 3])
})

test('a transaction whose inner one was not awaited is rolled back', async (t) => {
  const database = await memory(t)
  const { promise, resolve } = Promise.withResolvers<undefined>()
  let inside: Promise<unknown> = Promise.resolve()
  await assert.rejects(
    database.transaction(async (transaction) => {
      await insert(transaction, 1)
      inside = transaction.transaction(async (inner) => {
        await insert(inner, 2)
        await promise
        await insert(inner, 3)
      })
      inside.catch(() => undefined)
      await new Promise(setImmediate)
    }),
    BusyError,
  )
  resolve(undefined)
  await assert.rejects(inside, { code: 'E_DATABASE_CLOSED' })
  assert.deepEqual(await values(database), [])
})

test('a transaction that has ended cannot be used', async (t) => {
  const database = await memory(t)
  const kept: Transaction[] = []
  await database.transaction((transaction) => void kept.push(transaction))
  await database
    .transaction((transaction) => {
      kept.push(transaction)
      throw new Error('no')
    })
    .catch(() => undefined)
  for (const transaction of kept) {
    await assert.rejects(insert(transaction, 1), { code: 'E_DATABASE_CLOSED' })
  }
  assert.equal(kept.length, 2)
  assert.deepEqual(await values(database), [])
})

// SQLite would run the following statements outside any transaction and commit them.
test('after a statement that ended the transaction no statement runs', async (t) => {
  const database = await memory(t)
  await insert(database, 1)
  for (const ending of ['INSERT OR ROLLBACK INTO t VALUES (1)', 'ROLLBACK']) {
    await assert.rejects(
      database.transaction(async (transaction) => {
        await insert(transaction, 2)
        await transaction.run({ sql: ending, parameters: [] }).catch(() => undefined)
        await insert(transaction, 3)
      }),
      { code: 'E_TRANSACTION_ENDED' },
    )
    await assert.rejects(
      database.transaction(async (transaction) => {
        await transaction.run({ sql: ending, parameters: [] }).catch(() => undefined)
      }),
      { code: 'E_TRANSACTION_ENDED' },
      'the work must not be reported as committed',
    )
  }
  assert.deepEqual(await values(database), [1])
})

test('transactions of one process write one after the other, in the order they were begun', async (t) => {
  const database = await memory(t)
  await database.run(sql`CREATE TABLE counter AS SELECT 0 AS n`)
  const order: number[] = []
  let inside = 0
  const increment = (number: number): Promise<void> =>
    database.transaction(async (transaction) => {
      assert.equal(++inside, 1)
      const [row] = await transaction.rows(sql`SELECT n FROM counter`)
      await new Promise(setImmediate)
      await transaction.run(sql`UPDATE counter SET n = ${Number(row?.['n']) + 1}`)
      order.push(number)
      inside--
    })
  await Promise.all(Array.from({ length: 20 }, (_, number) => increment(number)))
  assert.deepEqual(await database.rows(sql`SELECT n FROM counter`), [{ n: 20 }])
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  )
})

test('a write beside a transaction waits for its end and is never part of it', async (t) => {
  const database = await memory(t)
  let beside: Promise<unknown> = Promise.resolve()
  await assert.rejects(
    database.transaction(async (transaction) => {
      await insert(transaction, 1)
      const operation = database.dispatch({ sql: 'INSERT INTO t VALUES (2)', parameters: [] })
      assert.equal(operation.state, 'pending')
      beside = operation.settled()
      await new Promise(setImmediate)
      throw new Error('no')
    }),
    /no/,
  )
  await beside
  assert.deepEqual(await values(database), [2])
})

test('a transaction that waits for a write beside it ends in E_DATABASE_BUSY, it does not hang', async (t) => {
  const database = await memory(t, 'busy_timeout=0.05')
  await assert.rejects(
    database.transaction(async (transaction) => {
      await insert(transaction, 1)
      await insert(database, 2)
    }),
    { code: 'E_DATABASE_BUSY', message: /inside a transaction, write through it/ },
  )
  await assert.rejects(
    database.transaction(() => database.transaction(() => 1)),
    { code: 'E_DATABASE_BUSY' },
  )
  assert.deepEqual(await values(database), [])
  await insert(database, 3)
  assert.deepEqual(await values(database), [3])
})

test('a read-only transaction sees a snapshot, rejects writes and blocks no one', async (t) => {
  const database = await memory(t)
  await insert(database, 1)
  await database.transaction(
    async (transaction) => {
      assert.deepEqual(await values(transaction), [1])
      await insert(database, 2)
      await database.transaction((writing) => insert(writing, 3))
      assert.deepEqual(await values(transaction), [1])
      await assert.rejects(insert(transaction, 4), {
        code: 'E_DATABASE',
        native: 'SQLITE_READONLY',
      })
    },
    { readOnly: true },
  )
  assert.deepEqual(await values(database), [1, 2, 3])
})

test('connections are reused, also after a rollback, and writers can write after readers', async (t) => {
  const database = await memory(t)
  for (let number = 0; number < 30; number++) {
    await database.transaction(values, { readOnly: true })
    await database.transaction((transaction) => insert(transaction, number))
    await database
      .transaction(async (transaction) => {
        await insert(transaction, 'undone')
        throw new Error('no')
      })
      .catch(() => undefined)
  }
  assert.equal((await values(database)).length, 30)
})

test('read-only transactions beyond the pool wait, and time out with an error', async (t) => {
  const database = await memory(t, 'pool=2&pool_timeout=0.05')
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const long = [1, 2].map(() => database.transaction(() => promise, { readOnly: true }))
  await assert.rejects(database.transaction(values, { readOnly: true }), {
    code: 'E_POOL_TIMEOUT',
    message: /all 2 read-only transactions/,
  })
  const next = database.transaction(values, { readOnly: true })
  resolve(undefined)
  await Promise.all(long)
  assert.deepEqual(await next, [])
})

const select = { sql: 'SELECT 1', parameters: [] }

interface Counted {
  readonly pool: IdleConnections
  readonly opened: readonly SqliteConnection[]
}

function counted(t: TestContext): Counted {
  const opened: SqliteConnection[] = []
  const pool = new IdleConnections(() => {
    const connection = new SqliteConnection(':memory:', [])
    opened.push(connection)
    return connection
  })
  t.after(() => pool.close())
  return { pool, opened }
}

test('a returned connection is reused', (t) => {
  const { pool, opened } = counted(t)
  const first = pool.take()
  pool.give(first)
  assert.equal(pool.take(), first)
  const second = pool.take()
  assert.notEqual(second, first)
  assert.equal(opened.length, 2)
  pool.give(first)
  pool.give(second)
})

test('a connection that is still in a transaction is closed and not reused', (t) => {
  const { pool } = counted(t)
  const connection = pool.take()
  connection.run({ sql: 'BEGIN', parameters: [] })
  pool.give(connection)
  assert.throws(() => connection.run(select))
  const next = pool.take()
  assert.equal(next.isInTransaction, false)
  pool.give(next)
})

test('a few connections are kept idle, the others are closed', (t) => {
  const { pool, opened } = counted(t)
  const taken = Array.from({ length: 10 }, () => pool.take())
  for (const connection of taken) pool.give(connection)
  const isOpen = (connection: SqliteConnection): boolean => {
    try {
      return connection.run(select).affected === 1
    } catch {
      return false
    }
  }
  assert.equal(opened.filter(isOpen).length, 4)
  pool.close()
  assert.equal(opened.filter(isOpen).length, 0)
})
