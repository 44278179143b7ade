import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { startChild } from './sqlite-child.ts'
import type { SqliteChild } from './sqlite-child.ts'

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sqlite-locks-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

interface Held {
  readonly database: Database
  readonly holder: SqliteChild
}

/** A database whose write lock another process holds. */
async function held(t: TestContext, busyTimeout: number): Promise<Held> {
  const file = join(await folder(t), 'a.db')
  const database = await connect(`sqlite:${file}?busy_timeout=${busyTimeout}`)
  t.after(() => database.close())
  await database.run(sql`CREATE TABLE t (a)`)
  const holder = startChild(t, 'lock', [file])
  assert.equal(await holder.line(), 'held')
  return { database, holder }
}

const insert = { sql: 'INSERT INTO t VALUES (1)', parameters: [] }

async function count(database: Database): Promise<unknown> {
  const [row] = await database.rows(sql`SELECT count(*) AS n FROM t`)
  return row?.['n']
}

/** Calls back after this many timer ticks; a blocked event loop never gets there. */
function afterTurns(turns: number, then: () => void): () => number {
  let fired = 0
  const timer = setInterval(() => {
    if (++fired === turns) then()
  }, 5)
  return () => {
    clearInterval(timer)
    return fired
  }
}

test('a write waits for another process while timers keep running, then succeeds', async (t) => {
  const { database, holder } = await held(t, 30)
  const stop = afterTurns(40, () => void holder.finish())
  const operation = database.dispatch(insert)
  assert.equal(operation.state, 'pending')
  const transaction = database.transaction((inner) => inner.run(insert))
  await Promise.all([operation.settled(), transaction])
  assert.ok(stop() >= 40)
  assert.equal(await count(database), 2)
})

test('reads succeed at once while another process writes', async (t) => {
  const { database } = await held(t, 30)
  const read = database.dispatch({ sql: 'SELECT count(*) AS n FROM t', parameters: [] })
  assert.equal(read.state, 'done')
  assert.deepEqual(read.result.rows, [{ n: 0 }])
  assert.equal(
    await database.transaction(
      async (transaction) => (await transaction.rows(sql`SELECT a FROM t`)).length,
      {
        readOnly: true,
      },
    ),
    0,
  )
})

test('a process that holds the lock longer than busy_timeout causes an error, and later writes wait again', async (t) => {
  const { database, holder } = await held(t, 0.3)
  const stop = afterTurns(1, () => undefined)
  const startMs = performance.now()
  const failures = await Promise.allSettled([
    database.run(insert),
    database.transaction((transaction) => transaction.run(insert)),
  ])
  const waitedMs = performance.now() - startMs
  for (const failure of failures) {
    assert.equal(failure.status, 'rejected')
    assert.equal(failure.reason.code, 'E_DATABASE_BUSY')
    assert.match(failure.reason.message, /stayed locked for the \d+\.\d s that busy_timeout allows/)
  }
  assert.ok(waitedMs >= 290, `waited ${waitedMs} ms`)
  assert.ok(stop() >= 5)
  await holder.finish()
  await database.run(insert)
  assert.equal(await count(database), 1)
})

test('four processes that create and write a file concurrently add up exactly', async (t) => {
  const url = `sqlite:${join(await folder(t), 'deep/a.db')}?busy_timeout=60`
  const children = Array.from({ length: 4 }, () => startChild(t, 'counter', [url, '100']))
  assert.deepEqual(await Promise.all(children.map((child) => child.ended())), [0, 0, 0, 0])
  const database = await connect(url)
  assert.deepEqual(await database.rows(sql`SELECT n FROM counter`), [{ n: 4 * 100 * 3 }])
  await database.close()
})

test('a process killed inside a transaction loses only that transaction', async (t) => {
  const url = `sqlite:${join(await folder(t), 'a.db')}`
  const child = startChild(t, 'killed', [url])
  assert.equal(await child.line(), 'inside')
  child.kill()
  assert.equal(await child.ended(), 'SIGKILL')
  const database = await connect(url)
  const rows = await database.rows(sql`SELECT n FROM rows ORDER BY n`)
  assert.deepEqual(
    rows.map((row) => row['n']),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
  assert.equal(
    database.dispatch({ sql: 'INSERT INTO rows VALUES (10)', parameters: [] }).state,
    'done',
  )
  assert.deepEqual(await database.rows(sql`PRAGMA integrity_check`), [{ integrity_check: 'ok' }])
  await database.close()
})
