import { randomUUID } from 'node:crypto'
import { UnrecoverableError } from 'bullmq'
import type { Job as BullJob, Queue as BullQueue, Worker as BullWorker } from 'bullmq'
import type { RedisSettings } from '../redis/redis-url.ts'
import { BullmqConnection } from './bullmq-connection.ts'
import type { JobStore, Lease, LeasedJob, NewJob, QueueCounts } from './job-store.ts'

/** Opens the store; resolves when connected. */
export async function openBullmqJobs(settings: RedisSettings): Promise<BullmqJobs> {
  const connection = new BullmqConnection(settings)
  try {
    await connection.open()
    return new BullmqJobs(connection)
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Replaces the payload of a completed job. */
const wiped = ''

const pageSize = 100

/** Jobs in Redis, managed by BullMQ: what `connectRedisJobs` returns. Loaded only then. */
export class BullmqJobs implements JobStore {
  readonly #connection: BullmqConnection
  readonly #leased = new Map<string, BullJob>()

  constructor(connection: BullmqConnection) {
    this.#connection = connection
  }

  get label(): string {
    return this.#connection.label
  }

  ping(): Promise<void> {
    return this.#explained(async () => void (await this.#connection.client.ping()))
  }

  add(queue: string, { payload, delay, digest, remember }: NewJob): Promise<boolean> {
    return this.#onQueue(queue, async (bull) => {
      const data = Buffer.from(payload).toString('base64')
      const timing = delay === 0 ? {} : { delay: Math.ceil(delay * 1_000) }
      if (digest === null) {
        await bull.add('job', data, { ...timing, removeOnComplete: true })
        return true
      }
      await this.#freeId(bull, digest, remember)
      // BullMQ silently ignores a second job with the same id; the name shows whose job it kept.
      const name = randomUUID()
      const removeOnComplete = { age: Math.max(1, Math.ceil(remember)) }
      await bull.add(name, data, { ...timing, jobId: digest, removeOnComplete })
      const job: BullJob | undefined = await bull.getJob(digest)
      return job?.name === name
    })
  }

  claim(queue: string, limit: number, visibility: number): Promise<readonly LeasedJob[]> {
    return this.#explained(async () => {
      const worker = await this.#connection.worker(queue, visibility)
      const jobs: LeasedJob[] = []
      try {
        while (jobs.length < limit) {
          const job = await this.#take(worker, queue)
          if (job === null) break
          jobs.push(job)
        }
      } catch (error) {
        // The jobs before it are already claimed.
        if (jobs.length === 0) throw error
      }
      return jobs
    })
  }

  extend({ token }: Lease, visibility: number): Promise<boolean> {
    return this.#explained(async () => {
      const extended = await this.#leased
        .get(token)
        ?.extendLock(token, Math.ceil(visibility * 1_000))
      return extended === 1
    })
  }

  complete(lease: Lease): Promise<boolean> {
    return this.#end(lease, (job) => finish(job, lease.token))
  }

  release(lease: Lease, delay: number): Promise<boolean> {
    return this.#end(lease, async (job) => {
      if (delay === 0) await job.moveToWait(lease.token)
      else await job.moveToDelayed(Date.now() + Math.ceil(delay * 1_000), lease.token)
    })
  }

  bury(lease: Lease, reason: string): Promise<boolean> {
    return this.#end(lease, async (job) => {
      const error = new UnrecoverableError(reason)
      // BullMQ would store the stack.
      error.stack = ''
      await job.moveToFailed(error, lease.token, false)
    })
  }

  counts(queue: string): Promise<QueueCounts> {
    return this.#onQueue(queue, async (bull) => {
      const nowMs = Date.now()
      const counts = await bull.getJobCounts('wait', 'active', 'delayed', 'failed')
      const { wait = 0, active = 0, delayed = 0, failed = 0 } = counts
      // BullMQ moves delayed jobs when one is claimed, not when they become due.
      const due = await this.#connection.client.zcount(
        bull.toKey('delayed'),
        '-inf',
        scoreAt(nowMs),
      )
      return {
        waiting: wait + due,
        delayed: Math.max(0, delayed - due),
        running: active,
        dead: failed,
        age: await ageOf(bull, nowMs),
      }
    })
  }

  retry(queue: string): Promise<number> {
    return this.#onQueue(queue, async (bull) => {
      let retried = 0
      for (;;) {
        const dead = await pageOf(bull, 'failed')
        if (dead.length === 0) return retried
        const options = { resetAttemptsMade: true, resetAttemptsStarted: true }
        await Promise.all(dead.map((job) => job.retry('failed', options)))
        retried += dead.length
      }
    })
  }

  clear(queue: string): Promise<number> {
    return this.#onQueue(queue, async (bull) => {
      const { wait = 0, delayed = 0 } = await bull.getJobCounts('wait', 'delayed')
      await bull.drain(true)
      const dead = await bull.clean(0, 0, 'failed')
      return wait + delayed + dead.length
    })
  }

  sweep(queue: string, remember: number): Promise<void> {
    return this.#onQueue(queue, async (bull) => {
      await bull.clean(Math.ceil(remember * 1_000), 0, 'completed')
    })
  }

  names(): Promise<readonly string[]> {
    return this.#explained(async () => {
      const names = await this.#connection.names()
      const counts = await Promise.all(names.map((name) => this.counts(name)))
      return names.filter((_, at) => {
        const { waiting = 0, delayed = 0, running = 0, dead = 0 } = counts[at] ?? {}
        return waiting + delayed + running + dead > 0
      })
    })
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #take(worker: BullWorker, queue: string): Promise<LeasedJob | null> {
    for (;;) {
      const token = randomUUID()
      const job: BullJob | undefined = await worker.getNextJob(token, { block: false })
      if (job === undefined) return null
      const { id = '', attemptsStarted: attempt } = job
      const data: unknown = job.data
      if (data === wiped) {
        // The job was done, but its worker died before completing it.
        await finish(job, token)
        continue
      }
      this.#leased.set(token, job)
      const payload = Buffer.from(typeof data === 'string' ? data : '', 'base64')
      return { queue, id, token, payload, attempt }
    }
  }

  // Frees the id of a dead job, or of a completed one that need not be remembered any longer. One
  // atomic step: a job that was added meanwhile must not be dropped.
  async #freeId(bull: BullQueue, id: string, remember: number): Promise<void> {
    const keys = [bull.toKey('failed'), bull.toKey('completed'), bull.toKey(id)]
    const old = Date.now() - remember * 1_000
    await this.#connection.client.eval(freeId, keys.length, ...keys, id, old)
  }

  #end({ token }: Lease, change: (job: BullJob) => Promise<unknown>): Promise<boolean> {
    return this.#explained(async () => {
      const job = this.#leased.get(token)
      if (job === undefined) return false
      try {
        await change(job)
        this.#leased.delete(token)
        return true
      } catch (error) {
        if (!isLost(error)) throw error
        this.#leased.delete(token)
        return false
      }
    })
  }

  #onQueue<T>(queue: string, work: (bull: BullQueue) => Promise<T>): Promise<T> {
    return this.#explained(async () => work(await this.#connection.queue(queue)))
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.#connection.explain(error)
    }
  }
}

const freeId = `
local done = redis.call('ZSCORE', KEYS[2], ARGV[1])
local forgotten = done and tonumber(done) <= tonumber(ARGV[2]) and redis.call('ZREM', KEYS[2], ARGV[1]) == 1
if forgotten or redis.call('ZREM', KEYS[1], ARGV[1]) == 1 then redis.call('DEL', KEYS[3]) end
return 0`

// A job with a key is kept for a while, but its payload must not be. It is wiped first, so that a
// worker that dies in between leaves a job that is recognisably done.
async function finish(job: BullJob, token: string): Promise<void> {
  if (job.opts.removeOnComplete !== true) await job.updateData(wiped)
  await job.moveToCompleted(null, token, false)
}

/** BullMQ's codes for a job or lock that is gone or owned by another worker. */
const lostCodes = [-1, -2, -3, -6]

function isLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && lostCodes.some((code) => code === error.code)
}

async function ageOf(bull: BullQueue, nowMs: number): Promise<number> {
  const [first] = await pageOf(bull, 'wait', 1)
  if (first === undefined) return 0
  const { timestamp, processedOn = 0, opts } = first
  const dueMs = Math.max(timestamp + (opts.delay ?? 0), processedOn)
  return Math.max(0, (nowMs - dueMs) / 1_000)
}

/** BullMQ's score of a delayed job: its time in milliseconds, and 12 bits of a counter. */
function scoreAt(ms: number): number {
  return (ms + 1) * 0x1000 - 1
}

/** The first jobs of a queue in a state. Jobs that were removed meanwhile are left out. */
async function pageOf(
  bull: BullQueue,
  state: 'failed' | 'wait',
  limit: number = pageSize,
): Promise<BullJob[]> {
  const jobs: unknown[] = await bull.getJobs([state], 0, limit - 1, true)
  return jobs.filter(isJob)
}

function isJob(job: unknown): job is BullJob {
  return typeof job === 'object' && job !== null && 'retry' in job
}
