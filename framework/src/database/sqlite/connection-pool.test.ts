import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { ConnectionPool } from './connection-pool.ts'
import { SqliteConnection } from './sqlite-connection.ts'

const select = { sql: 'SELECT 1', parameters: [] }

interface Counted {
  readonly pool: ConnectionPool
  readonly opened: readonly SqliteConnection[]
}

function counted(t: TestContext): Counted {
  const opened: SqliteConnection[] = []
  const pool = new ConnectionPool(() => {
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
