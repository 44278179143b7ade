import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Encrypter } from '../base/crypto/encrypter.ts'
import { createThrowables } from '../errors/throwables/throwables.ts'
import type { Throwables } from '../errors/throwables/throwables.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import type { Metric } from '../metrics/metric.ts'
import { Observability } from '../metrics/observability.ts'
import { runQueue } from './run-queue.ts'
import type { RunQueueOptions } from './run-queue.ts'
import type { JobResult } from './job.ts'
import type { LeasedJob } from './job-store.ts'
import { MemoryJobs } from './memory-jobs.ts'
import { PermanentFailure } from './job.ts'
import { Queue } from './queue.ts'
import type { QueueOptions } from './queue.ts'

const keys = [createSecretKey(randomBytes(32))]

interface Reported {
  readonly error: Error
  readonly context: Readonly<Record<string, unknown>>
}

class Bench {
  now = 1_700_000_000
  readonly store: MemoryJobs = new MemoryJobs({ clock: () => this.now })
  readonly reports: Reported[] = []
  readonly results: JobResult[] = []
  readonly throwables: Throwables = createThrowables()
  readonly queue: Queue<string>

  constructor(options: Partial<QueueOptions> = {}, store?: MemoryJobs) {
    const encrypter = new Encrypter(keys, 'queue')
    this.queue = new Queue('mail', store ?? this.store, { encrypter, ...options })
    this.throwables.reporters.push((error, context) => this.reports.push({ error, context }))
  }

  options(more: RunQueueOptions = {}): RunQueueOptions {
    const onResult = (result: JobResult): unknown => this.results.push(result)
    return { once: true, throwables: this.throwables, onResult, ...more }
  }
}

test('every job is handed to the handler once, in order, and then gone', async () => {
  const { queue, ...bench } = new Bench()
  for (const text of ['a', 'b', 'c']) await queue.push(text)
  const seen: unknown[] = []
  const tally = await runQueue(
    queue,
    ({ signal, ...job }) => {
      seen.push(job)
      assert.equal(signal.aborted, false)
    },
    { once: true },
  )
  assert.deepEqual(seen, [
    { id: '1', queue: 'mail', payload: 'a', attempt: 1, attempts: 3 },
    { id: '2', queue: 'mail', payload: 'b', attempt: 1, attempts: 3 },
    { id: '3', queue: 'mail', payload: 'c', attempt: 1, attempts: 3 },
  ])
  assert.deepEqual(tally, { done: 3, failed: 0, dead: 0, lost: 0 })
  assert.deepEqual(await bench.store.names(), [])
})

test('a job that fails is tried again after 10 and 20 seconds, then it is dead and reported once', async () => {
  const bench = new Bench()
  await bench.queue.push('x')
  const handler = (): never => {
    throw new TypeError('cannot reach ada@example.org')
  }
  const waits: number[] = []
  for (let attempt = 1; attempt <= 3; attempt++) {
    await runQueue(bench.queue, handler, bench.options())
    assert.equal(bench.results.length, attempt, 'no attempt before its time')
    const { delay = 0 } = bench.results.at(-1) ?? {}
    waits.push(delay)
    bench.now += delay - 0.5
    await runQueue(bench.queue, handler, bench.options())
    assert.equal(bench.results.length, attempt)
    bench.now += 0.5
  }
  assert.deepEqual(waits, [10, 20, 0])
  assert.deepEqual(bench.results, [
    { outcome: 'failed', id: '1', attempt: 1, reason: 'TypeError', delay: 10 },
    { outcome: 'failed', id: '1', attempt: 2, reason: 'TypeError', delay: 20 },
    { outcome: 'dead', id: '1', attempt: 3, reason: 'TypeError', delay: 0 },
  ])
  assert.deepEqual(
    bench.reports.map(({ context }) => context),
    [{ queue: 'mail', job: '1', attempt: 3 }],
  )
  assert.equal((await bench.queue.counts()).dead, 1)
  assert.equal(await bench.queue.store.retry(bench.queue.name), 1)
  const tally = await runQueue(bench.queue, () => {}, bench.options())
  assert.deepEqual(tally, { done: 1, failed: 0, dead: 0, lost: 0 })
})

test('a permanent failure is dead immediately', async () => {
  const bench = new Bench()
  await bench.queue.push('x')
  const cause = new Error('550 no such mailbox')
  const fail = async (): Promise<never> => {
    throw new PermanentFailure('the address does not exist', { cause })
  }
  assert.equal((await runQueue(bench.queue, fail, bench.options())).dead, 1)
  assert.equal(bench.results[0]?.reason, 'PermanentFailure E_JOB')
  assert.equal(bench.reports[0]?.error.cause, cause)
})

test('a job whose workers died in each of its attempts is dead without another one', async () => {
  const bench = new Bench()
  await bench.queue.push('x')
  for (let death = 0; death < 3; death++) {
    assert.equal((await bench.store.claim('mail', 1, 60)).length, 1)
    bench.now += 61
  }
  const tally = await runQueue(bench.queue, () => assert.fail('run again'), bench.options())
  assert.deepEqual(tally, { done: 0, failed: 0, dead: 1, lost: 0 })
  const [report] = bench.reports
  assert.match(
    report?.error.message ?? '',
    /^job 1 of mail is dead: its worker ended during each of its 3/,
  )
})

test('a payload of an unknown key fails like any other job, and a previous key opens it', async () => {
  const bench = new Bench()
  await bench.queue.push('x')
  const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')
  const strange = new Queue<string>('mail', bench.store, { encrypter })
  await runQueue(strange, () => assert.fail('opened'), bench.options())
  assert.equal(bench.results[0]?.reason, 'FrameworkError E_DECRYPT')
  bench.now += 10
  const rotated = new Encrypter([createSecretKey(randomBytes(32)), ...keys], 'queue')
  const seen: string[] = []
  await runQueue(
    new Queue<string>('mail', bench.store, { encrypter: rotated }),
    ({ payload }) => void seen.push(payload),
    bench.options(),
  )
  assert.deepEqual(seen, ['x'])
})

test('at most `concurrency` jobs run at once', async () => {
  const { queue } = new Bench()
  for (let at = 0; at < 9; at++) await queue.push(String(at))
  let running = 0
  let most = 0
  const handler = async (): Promise<void> => {
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    running -= 1
  }
  const { done } = await runQueue(queue, handler, { once: true, concurrency: 4 })
  assert.deepEqual([done, most], [9, 4])
})

test('with once it ends when nothing waits, also when jobs push more jobs', async () => {
  const { queue } = new Bench()
  await queue.push('1')
  await queue.push('later', { delay: 1_000 })
  const handler = async ({ payload }: { readonly payload: string }): Promise<void> => {
    if (payload.length < 5) await queue.push(`${payload}1`)
  }
  const { done } = await runQueue(queue, handler, { once: true, concurrency: 2 })
  assert.equal(done, 5)
})

test('a signal lets the job in hand finish and takes no other', async () => {
  const { queue } = new Bench()
  for (const text of ['a', 'b', 'c']) await queue.push(text)
  const stopping = new AbortController()
  const finished: string[] = []
  const handler = async ({ payload }: { readonly payload: string }): Promise<void> => {
    stopping.abort()
    await new Promise(setImmediate)
    finished.push(payload)
  }
  const { done } = await runQueue(queue, handler, { signal: stopping.signal })
  assert.deepEqual([done, finished], [1, ['a']])
  assert.equal((await queue.counts()).waiting, 2)
  assert.equal((await runQueue(queue, handler, { signal: AbortSignal.abort() })).done, 0)
})

test('an idle queue stops as soon as the signal aborts', async () => {
  const { queue } = new Bench()
  const stopping = new AbortController()
  const running = runQueue(queue, () => {}, { signal: stopping.signal, poll: 3_600 })
  await new Promise(setImmediate)
  stopping.abort()
  assert.equal((await running).done, 0)
})

test('an attempt that takes too long fails, and its signal aborts', async () => {
  const bench = new Bench({ timeout: 0.001 })
  await bench.queue.push('x')
  let reason: unknown
  const handler = ({ signal }: { readonly signal: AbortSignal }): Promise<never> => {
    signal.addEventListener('abort', () => (reason = signal.reason))
    return new Promise(() => {})
  }
  await runQueue(bench.queue, handler, bench.options())
  assert.equal(bench.results[0]?.reason, 'FrameworkError E_JOB')
  assert.match(String(reason), /a job of mail took longer than 0.001 s/)
})

test('a result that comes after the lease went to another is lost, and counts nowhere', async () => {
  const bench = new Bench()
  await bench.queue.push('x')
  const handler = async (): Promise<void> => {
    bench.now += 61
    assert.equal((await bench.store.claim('mail', 1, 60)).length, 1)
  }
  const tally = await runQueue(bench.queue, handler, bench.options())
  assert.deepEqual(tally, { done: 0, failed: 0, dead: 0, lost: 1 })
  assert.equal((await bench.queue.counts()).running, 1)
})

/** A store that refuses some calls. */
class FailingJobs extends MemoryJobs {
  refusals = 0
  calls = 0

  override async complete(lease: LeasedJob): Promise<boolean> {
    this.#refuse()
    return super.complete(lease)
  }

  override async claim(
    queue: string,
    limit: number,
    visibility: number,
  ): Promise<readonly LeasedJob[]> {
    this.#refuse()
    return super.claim(queue, limit, visibility)
  }

  #refuse(): void {
    this.calls += 1
    if (this.refusals === 0) return
    this.refusals -= 1
    throw new Error('the database is away')
  }
}

test('with once a store that fails is an error', async () => {
  const store = new FailingJobs()
  const { queue, ...bench } = new Bench({}, store)
  store.refusals = 1
  await assert.rejects(
    runQueue(queue, () => {}, { once: true, throwables: bench.throwables }),
    /away/,
  )
})

test('a store that fails is reported once and tried again until it is back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const store = new FailingJobs()
  const bench = new Bench({}, store)
  await bench.queue.push('x')
  store.refusals = 3
  const stopping = new AbortController()
  const running = runQueue(
    bench.queue,
    () => stopping.abort(),
    bench.options({ once: false, signal: stopping.signal }),
  )
  for (const seconds of [1, 2, 4]) {
    const before = store.calls
    await settled()
    t.mock.timers.tick(seconds * 1_000 - 1)
    await settled()
    assert.equal(store.calls - before, seconds === 1 ? 1 : 0, `waits ${seconds} s`)
    t.mock.timers.tick(1)
    await settled()
  }
  assert.equal((await running).done, 1)
  assert.deepEqual(
    bench.reports.map(({ context }) => context),
    [{ queue: 'mail' }],
  )
})

test('what hears of results may fail without harm', async () => {
  const bench = new Bench()
  for (const text of ['a', 'b']) await bench.queue.push(text)
  const onResult = (): never => {
    throw new Error('no screen')
  }
  assert.equal((await runQueue(bench.queue, () => {}, bench.options({ onResult }))).done, 2)
  assert.equal(bench.reports.length, 2)
})

test('attempts are counted and timed by queue and outcome, and so are their steps', async () => {
  const bench = new Bench({ attempts: 1 })
  const registry = new Observability(false)
  for (const text of ['good', 'bad', 'good']) await bench.queue.push(text)
  const handler = ({ payload }: { readonly payload: string }): void => {
    Steps.Instance.begin(StepKinds.Redis, 'GET')?.end(0, null)
    assert.equal(payload, 'good')
  }
  await runQueue(bench.queue, handler, bench.options({ registry }))
  const {
    queue_jobs_total: jobs,
    queue_job_duration_seconds: durations,
    db_client_operation_duration_seconds: commands,
  } = registry.gather().metrics
  assert.deepEqual(jobs?.series, [
    { labels: { outcome: 'done', queue: 'mail' }, value: 2 },
    { labels: { outcome: 'failed', queue: 'mail' }, value: 0 },
    { labels: { outcome: 'dead', queue: 'mail' }, value: 1 },
    { labels: { outcome: 'lost', queue: 'mail' }, value: 0 },
  ])
  const counts = (metric: Metric | undefined): unknown =>
    metric?.series.map((one) => [Object.values(one.labels).join(' '), 'count' in one && one.count])
  assert.deepEqual(counts(durations), [
    ['done mail', 2],
    ['dead mail', 1],
  ])
  assert.deepEqual(counts(commands), [['GET redis', 3]])
})

test('keys that need not be known any more are forgotten by the way', async () => {
  const bench = new Bench({ remember: 5 })
  await bench.queue.push('x', { key: 'k' })
  await runQueue(bench.queue, () => {}, bench.options())
  bench.now += 6
  const swept: unknown[] = []
  bench.store.sweep = async (...call) => void swept.push(call)
  await runQueue(bench.queue, () => {}, bench.options())
  assert.deepEqual(swept, [['mail', 5]])
})

test('options that cannot work are refused', async () => {
  const { queue } = new Bench()
  for (const options of [{ concurrency: 0 }, { concurrency: 1.5 }, { poll: 0 }, { poll: NaN }]) {
    await assert.rejects(
      runQueue(queue, () => {}, options),
      { code: 'E_INVALID_ARGUMENT' },
    )
  }
})

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}
