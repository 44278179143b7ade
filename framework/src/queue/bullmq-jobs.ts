import { randomUUID } from 'node:crypto'
import { Queue as BullQueue, UnrecoverableError, Worker as BullWorker } from 'bullmq'
import type { Job as BullJob } from 'bullmq'
import { Redis as Client } from 'ioredis'
import { noteOtherClock } from '../base/time/epoch-seconds.ts'
import { clientOptions } from '../redis/client-options.ts'
import { RedisError, connectionError, toRedisError } from '../redis/redis-error.ts'
import { redisLabel } from '../redis/redis-url.ts'
import type { RedisSettings } from '../redis/redis-url.ts'
import type { ConnectionContext } from '../redis/redis-error.ts'
import type {
  JobStore,
  Lease,
  LeasedJob,
  ListedJob,
  ListedStates,
  NewJob,
  QueueCounts,
} from './job-store.ts'

/** Opens the store; resolves when connected. */
export async function openBullmqJobs(settings: RedisSettings): Promise<BullmqJobs> {
  const jobs = new BullmqJobs(settings)
  try {
    await jobs.open()
    return jobs
  } catch (error) {
    await jobs.close()
    throw error
  }
}

/** Replaces the payload of a completed job. */
const wiped = ''

const pageSize = 100

/** How many events Redis keeps per queue. BullMQ always writes them; they are not used. */
const keptEvents = 100

/** Jobs in Redis, managed by BullMQ: what `connectRedisJobs` returns. Loaded only then. */
export class BullmqJobs implements JobStore {
  readonly label: string
  readonly #client: Client
  readonly #prefix: string
  readonly #commandTimeout: number
  readonly #forgetClock: () => void
  /** Each is created on first use, and again after a failure to connect. */
  readonly #queues = new Map<string, Promise<BullQueue>>()
  readonly #workers = new Map<string, Promise<BullWorker>>()
  readonly #leased = new Map<string, BullJob>()
  #loss: RedisError | null = null

  constructor(settings: RedisSettings) {
    this.label = redisLabel(settings)
    this.#prefix = `${settings.prefix}queue`
    this.#commandTimeout = settings.commandTimeout
    this.#forgetClock = noteOtherClock(this.label)
    this.#client = new Client(clientOptions(settings))
    this.#client.on('error', (error: unknown) => {
      this.#loss = connectionError(error, this.#context)
    })
    this.#client.on('ready', () => {
      this.#loss = null
    })
  }

  /** @throws RedisError E_REDIS_LOST when the server does not respond. */
  async open(): Promise<void> {
    try {
      await this.#client.connect()
    } catch (error) {
      throw this.#loss ?? toRedisError(error, 'HELLO', this.#context)
    }
  }

  ping(): Promise<void> {
    return this.#explained(async () => void (await this.#client.ping()))
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
      const worker = await this.#worker(queue, visibility)
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
      const due = await this.#client.zcount(bull.toKey('delayed'), '-inf', scoreAt(nowMs))
      return {
        waiting: wait + due,
        delayed: Math.max(0, delayed - due),
        running: active,
        dead: failed,
        age: await ageOf(bull, nowMs),
        paused: await bull.isPaused(),
      }
    })
  }

  list(
    queue: string,
    state: ListedStates,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<readonly ListedJob[]> {
    return this.#onQueue(queue, async (bull) => {
      // Each state of BullMQ has parts of its own; together they have everything once.
      const jobs: unknown[] = await bull.getJobs([...listed[state]], offset, offset + limit - 1)
      return jobs.filter(isJob).map((job) => listedJob(job, state))
    })
  }

  pause(queue: string): Promise<void> {
    return this.#onQueue(queue, (bull) => bull.pause())
  }

  resume(queue: string): Promise<void> {
    return this.#onQueue(queue, (bull) => bull.resume())
  }

  retry(queue: string, id?: string): Promise<number> {
    return this.#onQueue(queue, async (bull) => {
      if (id !== undefined) {
        const isDead = (await this.#client.zscore(bull.toKey('failed'), id)) !== null
        const job: BullJob | undefined = isDead ? await bull.getJob(id) : undefined
        return job === undefined ? 0 : retryDead(job)
      }
      let retried = 0
      for (;;) {
        const dead = await pageOf(bull, 'failed')
        if (dead.length === 0) return retried
        const counts = await Promise.all(dead.map(retryDead))
        retried += counts.reduce((sum, count) => sum + count)
      }
    })
  }

  clear(queue: string, id?: string): Promise<number> {
    return this.#onQueue(queue, async (bull) => {
      if (id !== undefined) {
        const keys = ['failed', 'delayed', 'wait', id].map((key) => bull.toKey(key))
        return Number(await this.#client.eval(dropJob, keys.length, ...keys, id))
      }
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
      const names = await this.#names()
      const counts = await Promise.all(names.map((name) => this.counts(name)))
      return names.filter((_, at) => {
        const { waiting = 0, delayed = 0, running = 0, dead = 0, paused = false } = counts[at] ?? {}
        return paused || waiting + delayed + running + dead > 0
      })
    })
  }

  async close(): Promise<void> {
    const handles = [...this.#workers.values(), ...this.#queues.values()]
    await Promise.allSettled(handles.map(async (handle) => closeHandle(await handle)))
    try {
      if (this.#client.status === 'ready') await this.#client.quit()
    } catch {
      // Already disconnected.
    } finally {
      this.#client.disconnect()
      this.#forgetClock()
    }
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
    await this.#client.eval(freeId, keys.length, ...keys, id, old)
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

  #onQueue<T>(name: string, work: (bull: BullQueue) => Promise<T>): Promise<T> {
    const queue = this.#getOrCreate(this.#queues, name, () => {
      const streams = { events: { maxLen: keptEvents } }
      const options = { connection: this.#client, prefix: this.#prefix, streams }
      return new BullQueue(name, options).on('error', ignoreError)
    })
    return this.#explained(async () => work(await queue))
  }

  /** A worker, which claims jobs. The lease time of a worker is fixed, so there is one per value. */
  #worker(name: string, visibility: number): Promise<BullWorker> {
    return this.#getOrCreate(this.#workers, `${name} ${visibility}`, () => {
      const lockDuration = Math.ceil(visibility * 1_000)
      return new BullWorker(name, null, {
        connection: this.#client,
        prefix: this.#prefix,
        autorun: false,
        lockDuration,
        // BullMQ detects an expired lease at the second check after it.
        stalledInterval: Math.ceil(lockDuration / 3),
        // Lost workers count as attempts, which are limited elsewhere.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
      }).on('error', ignoreError)
    })
  }

  #getOrCreate<Handle extends BullQueue | BullWorker>(
    handles: Map<string, Promise<Handle>>,
    name: string,
    create: () => Handle,
  ): Promise<Handle> {
    const known = handles.get(name)
    if (known !== undefined) return known
    const created = ready(create())
    handles.set(name, created)
    // A handle that failed to connect never recovers.
    created.catch(() => handles.delete(name))
    return created
  }

  /** Names of all queues that were ever used. */
  async #names(): Promise<string[]> {
    const start = `${this.#prefix}:`
    const pattern = `${start.replaceAll(/[\\*?[\]]/g, String.raw`\$&`)}*:meta`
    const found = new Set<string>()
    let cursor = '0'
    do {
      const [next, keys] = await this.#client.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000)
      for (const key of keys) found.add(key.slice(start.length, -':meta'.length))
      cursor = next
    } while (cursor !== '0')
    return [...found].toSorted()
  }

  /** The errors of `work` contain no sent data. */
  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof RedisError) throw error
      throw toRedisError(error, 'a queue command', this.#context)
    }
  }

  get #context(): ConnectionContext {
    return { label: this.label, commandTimeout: this.#commandTimeout, loss: this.#loss }
  }
}

// Failed calls reject anyway; without a listener the process would end.
function ignoreError(): void {}

async function ready<Handle extends BullQueue | BullWorker>(handle: Handle): Promise<Handle> {
  try {
    await handle.waitUntilReady()
    if (handle instanceof BullWorker) await handle.startStalledCheckTimer()
    return handle
  } catch (error) {
    await closeHandle(handle).catch(() => undefined)
    throw error
  }
}

// A worker has its own connection. Without `force` and while Redis is down, BullMQ would leave it
// reconnecting forever, which keeps the process alive.
function closeHandle(handle: BullQueue | BullWorker): Promise<void> {
  return handle instanceof BullWorker ? handle.close(true) : handle.close()
}

const freeId = `
local done = redis.call('ZSCORE', KEYS[2], ARGV[1])
local forgotten = done and tonumber(done) <= tonumber(ARGV[2]) and redis.call('ZREM', KEYS[2], ARGV[1]) == 1
if forgotten or redis.call('ZREM', KEYS[1], ARGV[1]) == 1 then redis.call('DEL', KEYS[3]) end
return 0`

// BullMQ would also remove a job that is done, and with it the memory of its key.
const dropJob = `
local found = redis.call('ZREM', KEYS[1], ARGV[1]) + redis.call('ZREM', KEYS[2], ARGV[1])
if found == 0 then found = redis.call('LREM', KEYS[3], 1, ARGV[1]) end
if found > 0 then redis.call('DEL', KEYS[4]) end
return found`

/** 0 if somebody else was faster. */
async function retryDead(job: BullJob): Promise<number> {
  try {
    await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
    return 1
  } catch (error) {
    if (!isLost(error)) throw error
    return 0
  }
}

/** The states of BullMQ by ours. */
const listed = { dead: ['failed'], waiting: ['wait', 'delayed'], running: ['active'] } as const

function listedJob(job: BullJob, state: ListedStates): ListedJob {
  const { id = '', attemptsStarted: attempts, failedReason, timestamp, finishedOn = 0 } = job
  const data: unknown = job.data
  const atMs = { dead: finishedOn, waiting: dueMs(job), running: null }[state]
  return {
    id,
    attempts,
    reason: failedReason ?? null,
    added: timestamp / 1_000,
    at: atMs === null ? null : atMs / 1_000,
    bytes: typeof data === 'string' ? Buffer.byteLength(data, 'base64') : 0,
  }
}

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
  return Math.max(0, (nowMs - dueMs(first)) / 1_000)
}

/** `delay` is that of the next attempt, counted from about the last one. */
function dueMs({ timestamp, processedOn = 0, delay, opts }: BullJob): number {
  return Math.max(timestamp + (opts.delay ?? 0), processedOn === 0 ? 0 : processedOn + delay)
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
