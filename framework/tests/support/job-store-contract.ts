import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Encrypter } from '../../src/base/crypto/encrypter.ts'
import { CurrentWork } from '../../src/activity/current-work.ts'
import type { JobStore, LeasedJob, NewJob } from '../../src/queue/job-store.ts'
import { Queue } from '../../src/queue/queue.ts'
import { ActiveSpan } from '../../src/tracing/active-span.ts'
import { LocalTrace } from '../../src/tracing/local-trace.ts'
import { SpanKinds } from '../../src/tracing/span.ts'

function someEncrypter(): Encrypter {
  return new Encrypter([createSecretKey(randomBytes(32))], 'queue')
}

/** A store and its clock. */
export interface OpenedJobs {
  readonly store: JobStore
  /** Lets this many seconds pass. */
  readonly pass: (seconds: number) => Promise<void>
}

/** Opens an empty store. */
export type OpenJobs = (t: TestContext) => Promise<OpenedJobs>

const digest = 'd1'.repeat(32)

/** A job with `text` as its encrypted payload. */
export function jobOf(text: string, options: Partial<NewJob> = {}): NewJob {
  return { payload: Buffer.from(text), delay: 0, digest: null, remember: 60, ...options }
}

/** The texts of claimed jobs, in order. */
export function textsOf(jobs: readonly LeasedJob[]): string[] {
  return jobs.map(({ payload }) => Buffer.from(payload).toString())
}

async function claimOne(store: JobStore, queue = 'mail', visibility = 60): Promise<LeasedJob> {
  const [job] = await store.claim(queue, 1, visibility)
  assert.ok(job !== undefined, 'there is a job to claim')
  return job
}

/** Tests for every job store. */
export function jobStoreContract(open: OpenJobs): void {
  test('jobs are claimed in the order they were pushed, each once', async (t) => {
    const { store } = await open(t)
    for (const text of ['a', 'b', 'c', 'd'])
      assert.equal(await store.add('mail', jobOf(text)), true)
    const [first, second] = [await store.claim('mail', 3, 60), await store.claim('mail', 3, 60)]
    assert.deepEqual([textsOf(first), textsOf(second)], [['a', 'b', 'c'], ['d']])
    assert.deepEqual(await store.claim('mail', 3, 60), [])
    assert.deepEqual(
      [...first, ...second].map(({ attempt }) => attempt),
      [1, 1, 1, 1],
    )
    assert.equal(new Set([...first, ...second].map(({ id }) => id)).size, 4)
  })

  test('a job keeps its payload and the span that pushed it', async (t) => {
    const { store } = await open(t)
    const queue = new Queue('mail', store, { encrypter: someEncrypter() })
    const trace = new LocalTrace({ enqueue() {}, countDropped() {}, countFailed() {} }, null)
    const span = new ActiveSpan(trace, null, 'request', SpanKinds.Server)
    await CurrentWork.runSpan(span, () => queue.push({ order: 7 }))
    const job = await claimOne(store)
    assert.deepEqual(queue.unseal(job), {
      payload: { order: 7 },
      origin: `00-${span.traceId}-${span.spanId}-02`,
    })
  })

  test('queues do not see each other', async (t) => {
    const { store } = await open(t)
    await store.add('mail', jobOf('letter'))
    await store.add('image', jobOf('picture'))
    assert.deepEqual(await store.names(), ['image', 'mail'])
    assert.deepEqual(textsOf(await store.claim('image', 9, 60)), ['picture'])
    assert.deepEqual(await store.claim('image', 9, 60), [])
    assert.equal(await store.clear('image'), 0)
    assert.deepEqual(textsOf(await store.claim('mail', 9, 60)), ['letter'])
    assert.deepEqual(await store.claim('nobody', 9, 60), [])
  })

  test('a delayed job is claimed after its delay, and not before', async (t) => {
    const { store, pass } = await open(t)
    await store.add('mail', jobOf('later', { delay: 5 }))
    await store.add('mail', jobOf('now'))
    assert.deepEqual(textsOf(await store.claim('mail', 9, 60)), ['now'])
    const { delayed, waiting } = await store.counts('mail')
    assert.deepEqual({ delayed, waiting }, { delayed: 1, waiting: 0 })
    await pass(6)
    assert.deepEqual(textsOf(await store.claim('mail', 9, 60)), ['later'])
  })

  test('a completed job is gone', async (t) => {
    const { store, pass } = await open(t)
    await store.add('mail', jobOf('a'))
    const job = await claimOne(store)
    assert.equal(await store.complete(job), true)
    assert.equal(await store.complete(job), false)
    await pass(3)
    assert.deepEqual(await store.claim('mail', 9, 60), [])
    assert.deepEqual(await store.names(), [])
  })

  test('a job whose lease expired goes to another worker, and the first one can no longer change it', async (t) => {
    const { store, pass } = await open(t)
    await store.add('mail', jobOf('a'))
    const first = await claimOne(store, 'mail', 1)
    const second = await until(pass, async () => (await store.claim('mail', 1, 60))[0])
    assert.equal(second.attempt, 2)
    assert.equal(second.id, first.id)
    assert.notEqual(second.token, first.token)
    assert.equal(await store.extend(first, 60), false)
    assert.equal(await store.complete(first), false)
    assert.equal(await store.release(first, 0, 'x'), false)
    assert.equal(await store.bury(first, 'x'), false)
    assert.equal((await store.counts('mail')).running, 1)
    assert.equal(await store.complete(second), true)
  })

  test('a renewed lease stays', async (t) => {
    const { store, pass } = await open(t)
    await store.add('mail', jobOf('a'))
    const job = await claimOne(store, 'mail', 5)
    for (let time = 0; time < 7; time++) {
      await pass(1)
      assert.equal(await store.extend(job, 5), true)
      assert.deepEqual(await store.claim('mail', 1, 2), [])
    }
    assert.equal(await store.complete(job), true)
  })

  test('a released job returns after its delay with the next attempt', async (t) => {
    const { store, pass } = await open(t)
    await store.add('mail', jobOf('a'))
    assert.equal(await store.release(await claimOne(store), 5, 'Error'), true)
    assert.deepEqual(await store.claim('mail', 1, 60), [])
    await pass(6)
    const again = await claimOne(store)
    assert.deepEqual([again.attempt, ...textsOf([again])], [2, 'a'])
    assert.equal(await store.release(again, 0, 'Error'), true)
    assert.equal((await claimOne(store)).attempt, 3)
  })

  test('a buried job is dead until retry, which starts it over', async (t) => {
    const { store, pass } = await open(t)
    for (const text of ['a', 'b']) await store.add('mail', jobOf(text))
    for (const job of await store.claim('mail', 2, 60)) {
      assert.equal(await store.bury(job, 'TypeError'), true)
    }
    await pass(3)
    assert.deepEqual(await store.claim('mail', 9, 60), [])
    assert.equal((await store.counts('mail')).dead, 2)
    assert.equal(await store.retry('mail'), 2)
    assert.equal(await store.retry('mail'), 0)
    const again = await store.claim('mail', 9, 60)
    assert.deepEqual(textsOf(again).toSorted(), ['a', 'b'])
    assert.deepEqual(
      again.map(({ attempt }) => attempt),
      [1, 1],
    )
  })

  test('a key admits one job while it waits, runs or fails', async (t) => {
    const { store } = await open(t)
    const add = (text: string): Promise<boolean> => store.add('mail', jobOf(text, { digest }))
    assert.equal(await add('first'), true)
    assert.equal(await add('second'), false)
    assert.equal(await store.add('image', jobOf('elsewhere', { digest })), true)
    const job = await claimOne(store)
    assert.equal(await add('third'), false)
    await store.release(job, 0, 'Error')
    assert.equal(await add('fourth'), false)
    assert.deepEqual(textsOf(await store.claim('mail', 9, 60)), ['first'])
  })

  test('a key is remembered for a while after its job is done, then admits another', async (t) => {
    const { store, pass } = await open(t)
    const add = (text: string): Promise<boolean> =>
      store.add('mail', jobOf(text, { digest, remember: 6 }))
    await add('first')
    await store.complete(await claimOne(store))
    assert.equal(await add('second'), false)
    assert.deepEqual(await store.claim('mail', 9, 60), [])
    assert.deepEqual(await store.names(), [])
    await pass(7)
    assert.equal(await add('third'), true)
    assert.deepEqual(textsOf(await store.claim('mail', 9, 60)), ['third'])
  })

  test('a dead job makes way for a new one with its key', async (t) => {
    const { store } = await open(t)
    await store.add('mail', jobOf('first', { digest }))
    await store.bury(await claimOne(store), 'Error')
    assert.equal(await store.add('mail', jobOf('second', { digest })), true)
    assert.equal((await store.counts('mail')).dead, 0)
    const job = await claimOne(store)
    assert.deepEqual([job.attempt, ...textsOf([job])], [1, 'second'])
  })

  test('of concurrent pushes with one key exactly one adds a job', async (t) => {
    const { store } = await open(t)
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, at) => store.add('mail', jobOf(String(at), { digest }))),
    )
    assert.equal(added.filter(Boolean).length, 1)
    const jobs = await store.claim('mail', 20, 60)
    assert.deepEqual(textsOf(jobs), [String(added.indexOf(true))])
  })

  test('sweep forgets old keys and touches nothing else', async (t) => {
    const { store, pass } = await open(t)
    await store.add('mail', jobOf('done', { digest, remember: 1_000 }))
    await store.complete(await claimOne(store))
    await store.add('mail', jobOf('dead'))
    await store.bury(await claimOne(store), 'Error')
    await store.add('mail', jobOf('waiting'))
    await store.sweep('mail', 1_000)
    assert.equal(await store.add('mail', jobOf('x', { digest, remember: 1_000 })), false)
    await pass(2)
    await store.sweep('mail', 1)
    assert.equal(await store.add('mail', jobOf('x', { digest, remember: 1_000 })), true)
    const { waiting, dead } = await store.counts('mail')
    assert.deepEqual({ waiting, dead }, { waiting: 2, dead: 1 })
  })

  test('counts distinguish the states, and tell how long the first job has waited', async (t) => {
    const { store, pass } = await open(t)
    assert.deepEqual(await store.counts('mail'), none)
    for (const text of ['a', 'b', 'c', 'd']) await store.add('mail', jobOf(text))
    await store.add('mail', jobOf('later', { delay: 500 }))
    const [, second] = await store.claim('mail', 2, 60)
    assert.ok(second !== undefined)
    await store.bury(second, 'Error')
    await pass(3)
    const { age, ...depths } = await store.counts('mail')
    assert.deepEqual(depths, { waiting: 2, delayed: 1, running: 1, dead: 1, paused: false })
    assert.ok(age >= 2 && age < 300, `age ${age}`)
  })

  test('clear drops jobs that are not running and returns their number', async (t) => {
    const { store } = await open(t)
    for (const text of ['running', 'dead', 'waiting']) await store.add('mail', jobOf(text))
    await store.add('mail', jobOf('later', { delay: 500 }))
    await store.add('mail', jobOf('done', { digest, remember: 60 }))
    const [running, dead, waiting, done] = await store.claim('mail', 4, 60)
    assert.ok(running && dead && waiting && done)
    await store.bury(dead, 'Error')
    await store.release(waiting, 0, 'Error')
    await store.complete(done)
    assert.equal(await store.clear('mail'), 3)
    assert.deepEqual(await store.counts('mail'), { ...none, running: 1 })
    assert.equal(await store.complete(running), true)
    assert.equal(await store.add('mail', jobOf('x', { digest, remember: 60 })), false)
  })

  test('jobs are listed by state, newest first and in parts, without their payloads', async (t) => {
    const { store } = await open(t)
    const all = { offset: 0, limit: 9 }
    for (const text of ['a', 'bb', 'ccc', 'dddd']) await store.add('mail', jobOf(text))
    await store.add('mail', jobOf('later', { delay: 500 }))
    await store.add('image', jobOf('elsewhere'))
    await store.add('mail', jobOf('done', { digest, remember: 60 }))
    const [dead, running, released, fourth, done] = await store.claim('mail', 5, 60)
    assert.ok(dead && running && released && fourth && done)
    await store.bury(dead, 'TypeError E_MAIL')
    await store.release(released, 0, 'Error')
    await store.release(fourth, 100, 'Error')
    await store.complete(done)

    const [only, ...others] = await store.list('mail', 'dead', all)
    assert.ok(only !== undefined && only.at !== null && others.length === 0)
    const { id, attempts, reason, added, at, bytes } = only
    assert.deepEqual([id, attempts, reason, bytes], [dead.id, 1, 'TypeError E_MAIL', 1])
    assert.ok(added > 1_600_000_000 && at >= Math.floor(added) && at < added + 60, `${added} ${at}`)
    assert.deepEqual(
      (await store.list('mail', 'running', all)).map((job) => [job.id, job.at, job.bytes]),
      [[running.id, null, 2]],
    )
    const waiting = await store.list('mail', 'waiting', all)
    assert.deepEqual(
      waiting.map((job) => job.bytes).toSorted((a, b) => a - b),
      [3, 4, 5],
    )
    const again = waiting.find((job) => job.id === fourth.id)
    assert.ok(again?.at !== undefined && again.at !== null)
    assert.ok(Math.abs(again.at - added - 100) < 30, `due ${again.at - added} s after`)
    // Nothing is left out between two parts, and nothing is in both.
    await store.add('image', jobOf('newest'))
    const parts = [0, 1, 2].map((offset) => store.list('image', 'waiting', { offset, limit: 1 }))
    assert.deepEqual(
      (await Promise.all(parts)).map((part) => part.map((job) => job.bytes)),
      [[6], [9], []],
    )
  })

  test('one dead job is retried or deleted by its id, and never a running or a done one', async (t) => {
    const { store } = await open(t)
    for (const text of ['a', 'b', 'c']) await store.add('mail', jobOf(text))
    await store.add('mail', jobOf('keyed', { digest, remember: 60 }))
    const [first, second, running, done] = await store.claim('mail', 4, 60)
    assert.ok(first && second && running && done)
    for (const job of [first, second]) await store.bury(job, 'Error')
    await store.complete(done)
    for (const id of [running.id, done.id, '999', 'meta', "x' OR 1=1", '']) {
      assert.deepEqual([id, await store.retry('mail', id)], [id, 0])
      assert.deepEqual([id, await store.clear('mail', id)], [id, 0])
    }
    assert.equal(await store.retry('image', first.id), 0)
    assert.equal(await store.clear('image', first.id), 0)
    assert.equal(await store.retry('mail', first.id), 1)
    assert.equal(await store.retry('mail', first.id), 0)
    assert.deepEqual(textsOf(await store.claim('mail', 9, 60)), ['a'])
    assert.equal(await store.clear('mail', second.id), 1)
    assert.equal(await store.clear('mail', second.id), 0)
    await store.add('mail', jobOf('waiting'))
    await store.add('mail', jobOf('later', { delay: 500 }))
    for (const { id } of await store.list('mail', 'waiting', { offset: 0, limit: 9 })) {
      assert.equal(await store.clear('mail', id), 1)
    }
    assert.deepEqual(await store.counts('mail'), { ...none, running: 2 })
    assert.equal(await store.complete(running), true)
    assert.equal(await store.add('mail', jobOf('x', { digest, remember: 60 })), false)
  })

  test('of those who retry the same dead jobs at once, one is told of each', async (t) => {
    const { store } = await open(t)
    for (let at = 0; at < 20; at++) await store.add('mail', jobOf(String(at)))
    const jobs = await store.claim('mail', 20, 60)
    await Promise.all(jobs.map((job) => store.bury(job, 'Error')))
    const one = jobs[0]?.id ?? ''
    const calls = [1, 2, 3, 4].flatMap(() => [store.retry('mail'), store.retry('mail', one)])
    assert.equal(
      (await Promise.all(calls)).reduce((sum, count) => sum + count),
      20,
    )
    assert.equal((await store.claim('mail', 99, 60)).length, 20)
  })

  test('a paused queue gives out no jobs until it is resumed, and takes new ones', async (t) => {
    const { store } = await open(t)
    await store.add('mail', jobOf('running'))
    await store.add('mail', jobOf('a'))
    const running = await claimOne(store)
    await Promise.all([store.pause('mail'), store.pause('mail')])
    await store.pause('mail')
    await store.add('mail', jobOf('b'))
    await store.add('image', jobOf('elsewhere'))
    assert.deepEqual(await store.claim('mail', 9, 60), [])
    assert.equal(await store.extend(running, 60), true)
    assert.equal(await store.complete(running), true)
    const { age: _, ...counts } = await store.counts('mail')
    assert.deepEqual(counts, { waiting: 2, delayed: 0, running: 0, dead: 0, paused: true })
    assert.equal((await store.counts('image')).paused, false)
    assert.equal((await store.claim('image', 9, 60)).length, 1)
    await store.sweep('mail', 0)
    assert.equal(await store.clear('mail'), 2)
    assert.deepEqual(await store.names(), ['image', 'mail'])
    await store.add('mail', jobOf('c'))
    assert.deepEqual(await store.claim('mail', 9, 60), [])
    await store.resume('mail')
    await store.resume('mail')
    assert.deepEqual(textsOf(await store.claim('mail', 9, 60)), ['c'])
    assert.equal((await store.counts('mail')).paused, false)
  })

  test('payloads of any bytes are returned unchanged', async (t) => {
    const { store } = await open(t)
    const payload = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256))
    await store.add('mail', { ...jobOf(''), payload })
    assert.deepEqual(Buffer.from((await claimOne(store)).payload), payload)
  })

  test('workers that claim concurrently get different jobs, and all are claimed', async (t) => {
    const { store } = await open(t)
    const texts = Array.from({ length: 60 }, (_, at) => String(at))
    await Promise.all(texts.map((text) => store.add('mail', jobOf(text))))
    const work = async (): Promise<string[]> => {
      const own: string[] = []
      for (;;) {
        const jobs = await store.claim('mail', 3, 60)
        if (jobs.length === 0) return own
        own.push(...textsOf(jobs))
        await Promise.all(jobs.map((job) => store.complete(job)))
      }
    }
    const taken = await Promise.all(Array.from({ length: 8 }, work))
    assert.deepEqual(taken.flat().toSorted(), texts.toSorted())
  })
}

const none = { waiting: 0, delayed: 0, running: 0, dead: 0, age: 0, paused: false }

/** Polls and lets time pass in between; a store may need a moment to notice that a lease expired. */
async function until<T>(
  pass: (seconds: number) => Promise<void>,
  look: () => Promise<T | undefined>,
): Promise<T> {
  for (let time = 0; time < 60; time++) {
    await pass(1)
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error('waited in vain')
}
