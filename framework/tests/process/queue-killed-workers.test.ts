import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createSecretKey, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { createJobsTable, SqlJobs } from '../../src/queue/sql-jobs.ts'
import { Encrypter } from '../../src/base/crypto/encrypter.ts'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { connectRedisJobs } from '../../src/queue/queue-settings.ts'
import type { JobStore } from '../../src/queue/job-store.ts'
import { Queue } from '../../src/queue/queue.ts'
import type { DatabaseServer } from '../support/database-server.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { startMariadb } from '../support/mariadb-server.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { startOwnRedis } from '../support/redis-server.ts'
import { waitFor } from '../support/wait-for.ts'

// QUEUE_TEST_JOBS=10000 npm test -- queue-killed-workers --silence 600
const jobs = Number(process.env['QUEUE_TEST_JOBS'] ?? 1_000)
const timeout = Math.max(290_000, jobs * 50)
const workers = 4
const concurrency = 4
const kills = 6
// The lease of a live worker must never expire, however rarely it is scheduled.
const visibility = 20
const key = randomBytes(32)
const encrypter = new Encrypter([createSecretKey(key)], 'queue')
const program = join(import.meta.dirname, 'queue-worker-child.ts')

/** Worker processes, and the jobs they recorded. */
class Crew {
  readonly #t: TestContext
  readonly #url: string
  readonly #file: string
  readonly #alive: ChildProcess[] = []
  /** Resolve when a worker can be stopped. */
  readonly #ready = new Map<ChildProcess, Promise<unknown>>()
  readonly killed = new Set<number>()

  constructor(t: TestContext, url: string) {
    const folder = mkdtempSync(join(tmpdir(), 'queue-workers-'))
    t.after(() => rmSync(folder, { recursive: true }))
    this.#t = t
    this.#url = url
    this.#file = join(folder, 'done')
    writeFileSync(this.#file, '')
  }

  hire(): void {
    const parameters = [this.#url, key.toString('hex'), this.#file, String(visibility)]
    const child = spawn(process.execPath, ['--conditions=source', program, ...parameters], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#t.after(() => child.kill('SIGKILL'))
    this.#alive.push(child)
    this.#ready.set(child, once(child, 'message'))
  }

  /** From now on no job dies. */
  mend(): void {
    writeFileSync(`${this.#file}.mended`, '')
  }

  /** The processes that did each job, in order. */
  done(): ReadonlyMap<number, readonly number[]> {
    const lines = readFileSync(this.#file, 'utf8').trimEnd().split('\n')
    const pairs = lines.filter((line) => line !== '').map((line) => line.split(' ').map(Number))
    const by = Map.groupBy(pairs, ([number = -1]) => number)
    return new Map([...by].map(([number, list]) => [number, list.map(([, pid = 0]) => pid)]))
  }

  /** Kills a worker that has done a job, like a power cut, and starts another. */
  async replace(): Promise<void> {
    const working = new Set([...this.done().values()].flat())
    const at = this.#alive.findIndex(({ pid = 0 }) => working.has(pid))
    const [victim] = this.#alive.splice(at, 1)
    assert.ok(victim?.pid !== undefined)
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    this.killed.add(victim.pid)
    this.hire()
    await this.#ready.get(this.#alive.at(-1) ?? victim)
  }

  /** Stops the others; they finish their current jobs. */
  async dismiss(): Promise<readonly unknown[]> {
    return Promise.all(
      this.#alive.map(async (child) => {
        await this.#ready.get(child)
        child.kill('SIGTERM')
        const [status] = await once(child, 'exit')
        return status
      }),
    )
  }
}

async function killWorkers(t: TestContext, url: string, store: JobStore): Promise<void> {
  const queue = new Queue<number>('numbers', store, { encrypter })
  const numbers = Array.from({ length: jobs }, (_, at) => at)
  for (let from = 0; from < jobs; from += 500) {
    await Promise.all(numbers.slice(from, from + 500).map((number) => queue.push(number)))
  }
  const crew = new Crew(t, url)
  for (let hired = 0; hired < workers; hired++) crew.hire()
  let deleted = 0
  for (let kill = 1; kill <= kills; kill++) {
    const goal = Math.floor((jobs * kill) / (kills + 2))
    await waitFor(`${goal} jobs`, () => crew.done().size >= goal, timeout / 1000)
    await store.pause(queue.name)
    const before = crew.done().size
    // The new worker finds the queue paused.
    await crew.replace()
    assert.deepEqual(await store.claim(queue.name, 1, visibility), [])
    const during = crew.done().size - before
    assert.ok(during <= workers * concurrency, `${during} jobs were done while it was paused`)
    await store.resume(queue.name)
    await waitFor('two dead jobs', async () => (await queue.counts()).dead > 1, timeout / 1000)
    deleted += await retryAndDelete(store, queue.name)
  }
  crew.mend()
  await waitFor(
    'the end of the queue',
    async () => {
      await store.retry(queue.name)
      const { waiting, delayed, running, dead } = await queue.counts()
      return waiting + delayed + running + dead === 0
    },
    timeout / 1000,
  )
  assert.deepEqual(
    await crew.dismiss(),
    Array.from({ length: workers }, () => 0),
  )

  const done = crew.done()
  const missing = numbers.filter((number) => !done.has(number))
  assert.ok(deleted > 0)
  assert.equal(missing.length, deleted, 'no job is lost but those that were deleted')
  assert.ok(
    missing.every((number) => number % 10 === 3),
    `${missing.join()} are missing`,
  )
  const again = [...done].filter(([, pids]) => pids.length > 1)
  for (const [number, pids] of again) {
    const before = pids.slice(0, -1)
    assert.ok(
      before.every((pid) => crew.killed.has(pid)),
      `${number} was done by ${pids.join()}`,
    )
  }
  assert.ok(again.length <= kills * concurrency, `${again.length} jobs were done again`)
  t.diagnostic(
    `${jobs} jobs, ${crew.killed.size} workers killed, ${again.length} jobs done again, ${deleted} deleted`,
  )
}

/** What two people do to the same dead jobs at once; resolves with the number of deleted ones. */
async function retryAndDelete(store: JobStore, queue: string): Promise<number> {
  const [first, second] = await store.list(queue, 'dead', { offset: 0, limit: 2 })
  assert.ok(first !== undefined && second !== undefined)
  const both = async (act: () => Promise<number>): Promise<number> => {
    const counts = await Promise.all([act(), act()])
    return counts.reduce((sum, count) => sum + count)
  }
  const deleted = await both(() => store.clear(queue, first.id))
  assert.equal(deleted, 1)
  assert.equal(await both(() => store.retry(queue, second.id)), 1)
  await both(() => store.retry(queue))
  return deleted
}

async function killOverSql(t: TestContext, given: string): Promise<void> {
  const url = withLongTimeouts(given)
  const database = await connect(url)
  t.after(() => database.close())
  await database.transaction((transaction) => createJobsTable(new Schema(transaction)))
  await killWorkers(t, url, new SqlJobs(database))
}

const promise = 'lose no job while the queue is paused, and dead jobs are retried and deleted'

// Two at a time: most of it is waiting for the leases of killed workers.
describe('workers', { concurrency: 2, timeout: 2 * timeout }, () => {
  test(`workers killed over SQLite ${promise}`, { timeout }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'queue-killed-'))
    t.after(() => rmSync(folder, { recursive: true }))
    await killOverSql(t, `sqlite:${join(folder, 'jobs.sqlite')}`)
  })

  const starts: Readonly<Record<string, () => Promise<DatabaseServer>>> = {
    PostgreSQL: startPostgres,
    MariaDB: startMariadb,
  }
  for (const [name, start] of Object.entries(starts)) {
    test(`workers killed over ${name} ${promise}`, { timeout }, async (t) => {
      const server = await start().catch((error: Error) => error.message)
      if (typeof server === 'string') return t.skip(server)
      t.after(() => server.stop())
      await killOverSql(t, await server.createDatabase())
    })
  }

  test(`workers killed over Redis ${promise}`, { timeout }, async (t) => {
    const server = await startOwnRedis().catch((error: Error) => error.message)
    if (typeof server === 'string') return t.skip(server)
    t.after(() => server.stop())
    const url = withLongTimeouts(server.url)
    const store = await connectRedisJobs(url)
    t.after(() => store.close())
    await killWorkers(t, url, store)
  })
})
