import { randomUUID } from 'node:crypto'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { Statement } from '../database/sql/plan/statement.ts'
import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import type { Surface } from '../database/surface.ts'
import { ExpiringTable } from '../database/expiring-table.ts'
import { nullIfDuplicate } from '../database/database-error.ts'
import { deadlockRetries, retryOnDeadlock } from '../database/transaction-options.ts'
import type { Schema } from '../migrations/schema.ts'
import type {
  JobStore,
  Lease,
  LeasedJob,
  ListedJob,
  ListedStates,
  NewJob,
  QueueCounts,
} from './job-store.ts'

const jobsTable = 'jobs'

/** The digest of the row that pauses a queue, of which there is one. No key has it. */
const pauseDigest = '0'.repeat(64)

/** Options of `SqlJobs`. */
export interface SqlJobsOptions {
  /** Name of the table created by `createJobsTable`. @default 'jobs' */
  readonly table?: string
  /** Epoch seconds. The clocks of all workers must agree within a few seconds. */
  readonly clock?: () => number
}

/**
 * Jobs in a table of the application's own database. Given a transaction, jobs become visible to
 * workers once it commits: `queue.through(new SqlJobs(transaction)).push(…)`.
 *
 * The row of a running job stays `waiting`; its `due` is then the time at which the lease expires. A
 * paused queue has a row in the state `paused`, which is no job.
 */
export class SqlJobs implements JobStore {
  readonly #surface: Surface
  readonly #jobs: ExpiringTable
  readonly #table: unknown
  readonly #clock: () => number

  constructor(surface: Surface, options: SqlJobsOptions = {}) {
    const { table = jobsTable, clock = epochSeconds } = options
    this.#surface = surface
    this.#jobs = new ExpiringTable(surface, table, 'id')
    this.#table = this.#jobs.name
    this.#clock = clock
  }

  async add(queue: string, { payload, delay, digest, remember }: NewJob): Promise<boolean> {
    const now = this.#clock()
    const due = secondsFrom(now, delay)
    const insert = sql`INSERT INTO ${this.#table} (queue, state, due, attempts, digest, payload, created_at)
      VALUES (${queue}, 'waiting', ${due}, 0, ${digest}, ${payload}, ${Math.floor(now)})`
    if (digest === null) {
      await this.#jobs.run(insert)
      return true
    }
    const revive = sql`UPDATE ${this.#table} SET state = 'waiting', due = ${due}, lease = NULL,
        attempts = 0, payload = ${payload}, reason = NULL, created_at = ${Math.floor(now)}, ended_at = NULL
      WHERE queue = ${queue} AND digest = ${digest} AND (state = 'dead'
        OR (state = 'done' AND ended_at <= ${Math.floor(now - remember)}))`
    return this.#addOnce(revive, insert)
  }

  async claim(queue: string, limit: number, visibility: number): Promise<readonly LeasedJob[]> {
    const now = this.#clock()
    const token = randomUUID()
    const until = secondsFrom(now, visibility)
    const rows = await retryOnDeadlock(this.#surface, () =>
      this.#surface.dialect.claim(this.#surface, {
        table: this.#table,
        pick: sql`SELECT id FROM ${this.#table} WHERE queue = ${queue} AND state = 'waiting'
          AND due <= ${Math.floor(now)}
          AND NOT EXISTS (SELECT 1 FROM ${this.#table} WHERE queue = ${queue} AND state = 'paused')
          ORDER BY due, id LIMIT ${limit}`,
        changes: sql`lease = ${token}, due = ${until}, attempts = attempts + 1`,
        returning: ['attempts', 'payload'],
      }),
    )
    return rows.map((row) => leasedJob(queue, token, row)).toSorted(byId)
  }

  extend(lease: Lease, visibility: number): Promise<boolean> {
    return this.#change(lease, sql`SET due = ${secondsFrom(this.#clock(), visibility)}`)
  }

  async complete({ id, token }: Lease): Promise<boolean> {
    const ended = Math.floor(this.#clock())
    // A job without a unique key is deleted. With one the row stays, without its payload, so that
    // the key is remembered.
    const deleted = await this.#jobs.drop(
      sql`id = ${BigInt(id)} AND lease = ${token} AND digest IS NULL`,
    )
    if (deleted > 0) return true
    return this.#change(
      { id, token },
      sql`SET state = 'done', lease = NULL, payload = NULL, reason = NULL, ended_at = ${ended}`,
    )
  }

  release(lease: Lease, delay: number, reason: string): Promise<boolean> {
    const due = secondsFrom(this.#clock(), delay)
    return this.#change(lease, sql`SET lease = NULL, due = ${due}, reason = ${reason}`)
  }

  bury(lease: Lease, reason: string): Promise<boolean> {
    const ended = Math.floor(this.#clock())
    return this.#change(
      lease,
      sql`SET state = 'dead', lease = NULL, reason = ${reason}, ended_at = ${ended}`,
    )
  }

  async counts(queue: string): Promise<QueueCounts> {
    const now = Math.floor(this.#clock())
    const [row = {}] = await this.#surface.rows(sql`SELECT
        count(CASE WHEN state = 'waiting' AND due <= ${now} THEN 1 END) AS ready,
        count(CASE WHEN state = 'waiting' AND due > ${now} AND lease IS NULL THEN 1 END) AS later,
        count(CASE WHEN state = 'waiting' AND due > ${now} AND lease IS NOT NULL THEN 1 END) AS running,
        count(CASE WHEN state = 'dead' THEN 1 END) AS dead,
        count(CASE WHEN state = 'paused' THEN 1 END) AS paused,
        min(CASE WHEN state = 'waiting' AND due <= ${now} THEN due END) AS oldest
      FROM ${this.#table} WHERE queue = ${queue} AND state IN ('waiting', 'dead', 'paused')`)
    const { ready, later, running, dead, paused, oldest } = row
    return {
      waiting: Number(ready),
      delayed: Number(later),
      running: Number(running),
      dead: Number(dead),
      age: oldest === null ? 0 : now - Number(oldest),
      paused: Number(paused) > 0,
    }
  }

  async list(
    queue: string,
    state: ListedStates,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<readonly ListedJob[]> {
    const now = Math.floor(this.#clock())
    const isRunning = state === 'running'
    const lease = isRunning
      ? sql`lease IS NOT NULL AND due > ${now}`
      : sql`(lease IS NULL OR due <= ${now})`
    // A dead job keeps the end of its last lease, so the index has both orders.
    const rows = await this.#surface
      .rows(sql`SELECT id, attempts, reason, created_at, due, ended_at,
        length(payload) AS bytes FROM ${this.#table} WHERE queue = ${queue} AND state = ${isRunning ? 'waiting' : state}
        AND ${lease} ORDER BY due DESC, id DESC LIMIT ${limit} OFFSET ${offset}`)
    return rows.map(({ id, attempts, reason, created_at: added, due, ended_at: ended, bytes }) => ({
      id: String(id),
      attempts: Number(attempts),
      reason: typeof reason === 'string' ? reason : null,
      added: Number(added),
      at: isRunning ? null : Number(ended ?? due),
      bytes: Number(bytes),
    }))
  }

  async pause(queue: string): Promise<void> {
    const mark = sql`INSERT INTO ${this.#table} (queue, state, due, attempts, digest, created_at)
      VALUES (${queue}, 'paused', 0, 0, ${pauseDigest}, ${Math.floor(this.#clock())})`
    const pausing = this.#surface.transaction((surface) => surface.run(mark))
    // It may be paused already.
    await pausing.catch(nullIfDuplicate)
  }

  async resume(queue: string): Promise<void> {
    await this.#jobs.drop(sql`queue = ${queue} AND state = 'paused'`)
  }

  async retry(queue: string, id?: string): Promise<number> {
    const { affected } = await this.#jobs.run(sql`UPDATE ${this.#table}
      SET state = 'waiting', due = ${Math.floor(this.#clock())}, attempts = 0, ended_at = NULL
      WHERE ${jobsOf(queue, id)} AND state = 'dead'`)
    return affected
  }

  clear(queue: string, id?: string): Promise<number> {
    return this.#jobs.drop(sql`${jobsOf(queue, id)}
      AND state IN ('waiting', 'dead') AND (lease IS NULL OR due <= ${Math.floor(this.#clock())})`)
  }

  async sweep(queue: string, remember: number): Promise<void> {
    await this.#jobs.drop(sql`queue = ${queue}
      AND state = 'done' AND ended_at <= ${Math.floor(this.#clock() - remember)}`)
  }

  async names(): Promise<readonly string[]> {
    const rows = await this.#surface.rows(sql`SELECT DISTINCT queue FROM ${this.#table}
      WHERE state <> 'done' ORDER BY queue`)
    return rows.map(({ queue }) => String(queue))
  }

  // Runs in a savepoint, because a duplicate key would otherwise abort the caller's transaction.
  async #addOnce(revive: Statement, insert: Statement): Promise<boolean> {
    const add = async (surface: Surface): Promise<boolean> => {
      const { affected } = await surface.run(revive)
      if (affected === 0) await surface.run(insert)
      return true
    }
    const added = this.#surface.transaction(add, { retry: deadlockRetries })
    return (await added.catch(nullIfDuplicate)) !== null
  }

  async #change({ id, token }: Omit<Lease, 'queue'>, assignments: Statement): Promise<boolean> {
    const { affected } = await this.#jobs.run(
      sql`UPDATE ${this.#table} ${assignments} WHERE id = ${BigInt(id)} AND lease = ${token}`,
    )
    return affected > 0
  }
}

/** Creates the table for `SqlJobs`, in a migration. */
export async function createJobsTable(schema: Schema, name: string = jobsTable): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    table.text('queue', { length: 64 })
    table.text('state', { length: 8 })
    // For a running job this is the end of its lease, after which it can be claimed again.
    table.bigint('due')
    table.text('lease', { length: 36 }).nullable()
    table.integer('attempts').default(0)
    // SHA-256 of the idempotency key. NULLs are never equal, so jobs without a key do not collide.
    table.char('digest', 64).nullable()
    table.bytes('payload').nullable()
    table.text('reason', { length: 120 }).nullable()
    table.bigint('created_at')
    table.bigint('ended_at').nullable()
    table.unique(['queue', 'digest'])
    // In the order of claiming, so that the next job is the first index entry.
    table.index(['queue', 'state', 'due', 'id'])
  })
}

/** The condition for the jobs of a queue, or for one of them. */
function jobsOf(queue: string, id?: string): Statement {
  if (id === undefined) return sql`queue = ${queue}`
  // No other text is an id.
  return sql`queue = ${queue} AND id = ${/^\d{1,18}$/.test(id) ? BigInt(id) : -1n}`
}

// Rounds a delay up, so that a job never runs early. Without a delay it is due at once.
function secondsFrom(now: number, seconds: number): number {
  return seconds === 0 ? Math.floor(now) : Math.ceil(now + seconds)
}

function leasedJob(queue: string, token: string, row: ObjectRow): LeasedJob {
  const { id, attempts, payload } = row
  // An empty payload fails to decrypt in the worker, which then buries the job.
  const bytes = payload instanceof Uint8Array ? payload : new Uint8Array()
  return { queue, id: String(id), token, payload: bytes, attempt: Number(attempts) }
}

// RETURNING has no defined order.
function byId(a: LeasedJob, b: LeasedJob): number {
  return Number(a.id) - Number(b.id)
}
