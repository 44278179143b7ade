import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createJobsTable, SqlJobs } from '../../src/queue/sql-jobs.ts'
import { Encrypter } from '../../src/base/crypto/encrypter.ts'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { runQueue } from '../../src/queue/run-queue.ts'
import { Queue } from '../../src/queue/queue.ts'
import { jobOf, jobStoreContract, textsOf } from '../support/job-store-contract.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import type { CreateDatabase } from '../support/test-databases.ts'

const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')

function withTable(database: Database): Promise<void> {
  return database.transaction((transaction) => createJobsTable(new Schema(transaction)))
}

/** Connections to one new database with a jobs table, as so many processes would have. */
async function openSeveral(
  t: TestContext,
  create: CreateDatabase,
  count: number,
): Promise<readonly [Database, ...Database[]]> {
  const url = await create()
  const open = async (): Promise<Database> => {
    const database = await connect(`${url}?pool=3`)
    t.after(() => database.close())
    return database
  }
  const first = await open()
  await withTable(first)
  const others = Array.from({ length: count - 1 }, open)
  return [first, ...(await Promise.all(others))]
}

onEveryDatabase((_name, open, create) => {
  jobStoreContract(async (t) => {
    const database = await open(t, 'pool=8')
    await withTable(database)
    let now = 1_700_000_000.5
    return {
      store: new SqlJobs(database, { clock: () => now }),
      pass: async (seconds) => void (now += seconds),
    }
  })

  test('eight workers with their own connections do every job once while others push', async (t) => {
    const databases = await openSeveral(t, create, 8)
    const queues = databases.map((database) => {
      return new Queue<number>('numbers', new SqlJobs(database), { encrypter })
    })
    const numbers = Array.from({ length: 600 }, (_, at) => at)
    const push = (from: number): Promise<unknown> =>
      Promise.all(numbers.slice(from, from + 300).map(async (n) => queues[n % 8]?.push(n)))
    await push(0)
    const done: number[] = []
    const working = queues.map((queue) =>
      runQueue(queue, ({ payload }) => void done.push(payload), { once: true, concurrency: 4 }),
    )
    await push(300)
    const tallies = await Promise.all(working)
    await runQueue(queues[0] ?? assert.fail(), ({ payload }) => void done.push(payload), {
      once: true,
    })
    assert.deepEqual(
      done.toSorted((a, b) => a - b),
      numbers,
    )
    assert.ok(tallies.filter((tally) => tally.done > 0).length > 1, 'several workers took part')
    assert.ok(tallies.every(({ failed, dead, lost }) => failed + dead + lost === 0))
  })

  test('of many connections that push the same key concurrently exactly one adds a job, repeatedly', async (t) => {
    const databases = await openSeveral(t, create, 6)
    const queues = databases.map((database) => {
      return new Queue<string>('mail', new SqlJobs(database), { encrypter, remember: 0 })
    })
    for (let round = 0; round < 5; round++) {
      const pushes = queues.flatMap((queue) => [1, 2, 3].map(() => queue.push('x', { key: 'one' })))
      const added = await Promise.all(pushes)
      assert.equal(added.filter(Boolean).length, 1, `round ${round}`)
      const { done } = await runQueue(queues[0] ?? assert.fail(), () => {}, { once: true })
      assert.equal(done, 1)
    }
  })

  test('a job pushed in a transaction is committed with it, and a known key does not abort it', async (t) => {
    const [database] = await openSeveral(t, create, 1)
    const queue = new Queue<string>('mail', new SqlJobs(database), { encrypter })
    await database.run(sql`CREATE TABLE notes (id integer)`)
    await assert.rejects(
      database.transaction(async (transaction) => {
        await queue.through(new SqlJobs(transaction)).push('undone')
        throw new Error('no')
      }),
      /^Error: no$/,
    )
    assert.equal((await queue.counts()).waiting, 0)
    await queue.push('first', { key: 'k' })
    await database.transaction(async (transaction) => {
      const inside = queue.through(new SqlJobs(transaction))
      assert.equal(await inside.push('second', { key: 'k' }), false)
      assert.equal(await inside.push('third', { key: 'l' }), true)
      await transaction.run(sql`INSERT INTO notes (id) VALUES (1)`)
    })
    assert.equal((await queue.counts()).waiting, 2)
    assert.equal((await database.rows(sql`SELECT id FROM notes`)).length, 1)
  })

  test('stored data contains neither payload nor key, and after the job no payload at all', async (t) => {
    const [database] = await openSeveral(t, create, 1)
    const queue = new Queue('mail', new SqlJobs(database), { encrypter, attempts: 1 })
    const secrets = ['ada@example.org', 'deadbeefcafe0123', 'hunter2hunter2', 'welcome:42']
    const payload = { to: secrets[0], link: `https://x/reset/${secrets[1]}`, password: secrets[2] }
    await queue.push(payload, { key: `welcome:42` })
    await queue.push({ ...payload, fails: true }, { delay: 0 })
    const scan = async (): Promise<readonly Readonly<Record<string, unknown>>[]> => {
      const rows = await database.rows(sql`SELECT * FROM jobs ORDER BY id`)
      const bytes = rows
        .flatMap((row) => Object.values(row))
        .map((value) =>
          value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value)),
        )
      for (const secret of secrets) {
        for (const form of [secret, Buffer.from(secret).toString('base64').replaceAll('=', '')]) {
          assert.ok(!Buffer.concat(bytes).includes(form), `${form} is stored`)
        }
      }
      return rows
    }
    assert.equal((await scan()).length, 2)
    const seen: unknown[] = []
    await runQueue(
      queue,
      (job) => {
        seen.push(job.payload)
        if (Object(job.payload).fails) throw new TypeError(`cannot reach ${secrets.join()}`)
      },
      { once: true },
    )
    assert.deepEqual(seen, [payload, { ...payload, fails: true }])
    const rows = await scan()
    assert.deepEqual(
      rows.map(({ state, payload: left, reason }) => [state, left === null, reason]),
      [
        ['done', true, null],
        ['dead', false, 'TypeError'],
      ],
    )
  })

  test('jobs are claimed in the order they became due, then in the order they were added', async (t) => {
    const [database] = await openSeveral(t, create, 1)
    let now = 1_700_000_000
    const store = new SqlJobs(database, { clock: () => now })
    for (let at = 0; at < 6; at++)
      await store.add('mail', jobOf(String(at), { delay: 2 - (at % 3) }))
    now += 5
    const order: string[] = []
    for (let at = 0; at < 6; at++) order.push(...textsOf(await store.claim('mail', 1, 60)))
    assert.deepEqual(order, ['2', '5', '1', '4', '0', '3'])
  })
})
