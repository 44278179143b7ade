import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../database/connect.ts'
import type { QueryLog } from '../database/query-log.ts'
import type { Database } from '../database/surface.ts'
import { Schema } from '../migrations/schema.ts'
import { sql } from '../database/sql/plan/statement.ts'
import { jobOf, jobStoreContract, textsOf } from '../../tests/support/job-store-contract.ts'
import { createJobsTable, SqlJobs } from './sql-jobs.ts'

async function openDatabase(t: TestContext, log?: QueryLog): Promise<Database> {
  const database = await connect('sqlite::memory:', log === undefined ? {} : { log })
  t.after(() => database.close())
  await createJobsTable(new Schema(database))
  return database
}

jobStoreContract(async (t) => {
  const database = await openDatabase(t)
  let now = 1_700_000_000.5
  return {
    store: new SqlJobs(database, { clock: () => now }),
    pass: async (seconds) => void (now += seconds),
  }
})

test('a claim is one statement that finds its rows by the index', async (t) => {
  const statements: string[] = []
  const database = await openDatabase(t, (entry) => statements.push(entry.sql))
  const store = new SqlJobs(database)
  await store.add('mail', jobOf('a'))
  statements.length = 0
  await store.claim('mail', 1, 60)
  assert.equal(statements.length, 1)
  const [claim = ''] = statements
  const plan = await database.rows({
    sql: `EXPLAIN QUERY PLAN ${claim}`,
    parameters: ['token', 1, 'mail', 1, 'mail', 1],
  })
  const details = plan.map(({ detail }) => String(detail))
  assert.ok(
    details.some((line) => /USING (COVERING )?INDEX jobs_queue_state_due_id/.test(line)),
    details.join(),
  )
  assert.ok(
    details.every((line) => !line.startsWith('SCAN')),
    details.join(),
  )
})

test('the table may have another name', async (t) => {
  const database = await openDatabase(t)
  await createJobsTable(new Schema(database), 'odd jobs')
  const store = new SqlJobs(database, { table: 'odd jobs' })
  await store.add('mail', jobOf('a'))
  assert.equal((await store.claim('mail', 9, 60)).length, 1)
  assert.deepEqual(await database.rows(sql`SELECT id FROM jobs`), [])
})

test('a job whose payload was removed does not block the others', async (t) => {
  const database = await openDatabase(t)
  const store = new SqlJobs(database)
  await store.add('mail', jobOf('a'))
  await database.run(sql`UPDATE jobs SET payload = NULL`)
  await store.add('mail', jobOf('b'))
  assert.deepEqual(textsOf(await store.claim('mail', 9, 60)), ['', 'b'])
})
