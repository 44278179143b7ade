import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Encrypter } from '../base/crypto/encrypter.ts'
import type { NewJob } from './job-store.ts'
import { MemoryJobs } from './memory-jobs.ts'
import { Queue } from './queue.ts'

const newEncrypter = (): Encrypter => new Encrypter([createSecretKey(randomBytes(32))], 'queue')
const encrypter = newEncrypter()

/** A store that shows what it is given. */
class RecordingJobs extends MemoryJobs {
  readonly added: NewJob[] = []

  override add(queue: string, job: NewJob): Promise<boolean> {
    this.added.push(job)
    return super.add(queue, job)
  }
}

test('a payload is stored encrypted and opened as it was pushed', async () => {
  const store = new RecordingJobs()
  const queue = new Queue('mail', store, { encrypter })
  const payloads = [{ to: 'ada@example.org', tags: ['a', null, 1.5] }, 'text', 0, null, false, []]
  for (const payload of payloads) assert.equal(await queue.push(payload), true)
  for (const { payload } of store.added) {
    assert.equal(Buffer.from(payload).includes('ada'), false)
  }
  const jobs = await store.claim('mail', 9, 60)
  assert.deepEqual(
    jobs.map((job) => queue.unseal(job).payload),
    payloads,
  )
})

test('a job of a process without traces looks as before there were any', async () => {
  const store = new RecordingJobs()
  const queue = new Queue('mail', store, { encrypter })
  await queue.push({ order: 7 })
  const [added] = store.added
  const content = encrypter.decrypt(added?.payload ?? Buffer.alloc(0), 'job of mail')
  assert.equal(content.toString(), '{"order":7}')
  const old = encrypter.encrypt(Buffer.from('{"order":8}'), 'job of mail')
  const job = { queue: 'mail', id: '1', token: 't', attempt: 1, payload: old }
  assert.deepEqual(queue.unseal(job), { payload: { order: 8 }, origin: null })
})

test('a job of one queue cannot be opened by another', async () => {
  const store = new MemoryJobs()
  await new Queue('mail', store, { encrypter }).push('x')
  const [job] = await store.claim('mail', 1, 60)
  assert.ok(job !== undefined)
  assert.throws(() => new Queue('image', store, { encrypter }).unseal(job), { code: 'E_DECRYPT' })
  assert.throws(() => new Queue('mail', store, { encrypter: newEncrypter() }).unseal(job), {
    code: 'E_DECRYPT',
  })
})

test('a key lets one job in, and only its digest reaches the store', async () => {
  const store = new RecordingJobs()
  const queue = new Queue('mail', store, { encrypter, remember: 7 })
  assert.deepEqual(
    [await queue.push('a', { key: 'welcome:ada' }), await queue.push('b', { key: 'welcome:ada' })],
    [true, false],
  )
  assert.equal(await queue.push('c', { key: 'welcome:bob' }), true)
  const [first, second, third] = store.added
  assert.match(first?.digest ?? '', /^[0-9a-f]{64}$/)
  assert.equal(first?.digest, second?.digest)
  assert.notEqual(first?.digest, third?.digest)
  assert.equal(first?.remember, 7)
  const elsewhere = new Queue('image', store, { encrypter })
  assert.equal(await elsewhere.push('a', { key: 'welcome:ada' }), true)
  assert.notEqual(store.added.at(-1)?.digest, first?.digest)
})

test('a delayed job waits until it is due, and the counts are those of the store', async () => {
  let now = 1_000
  const store = new MemoryJobs({ clock: () => now })
  const queue = new Queue('mail', store, { encrypter })
  await queue.push('later', { delay: 5 })
  await queue.push('now')
  const [job] = await store.claim('mail', 9, 60)
  assert.ok(job !== undefined)
  await store.bury(job, 'Error')
  now += 6
  assert.deepEqual(await queue.counts(), {
    waiting: 1,
    delayed: 0,
    running: 0,
    dead: 1,
    age: 1,
    paused: false,
  })
})

test('the same queue can push through another store', async () => {
  const [store, other] = [new MemoryJobs(), new MemoryJobs()]
  const queue = new Queue('mail', store, { encrypter, attempts: 7 })
  const through = queue.through(other)
  await through.push('x')
  assert.deepEqual([(await queue.counts()).waiting, (await other.counts('mail')).waiting], [0, 1])
  assert.deepEqual([through.name, through.options.attempts], ['mail', 7])
})

test('a payload that is not JSON or too large is rejected and not shown', async () => {
  const store = new RecordingJobs()
  const queue = new Queue('mail', store, { encrypter, maxPayload: 20 })
  const circle: unknown[] = ['hunter2']
  circle.push(circle)
  const refused = [undefined, () => 'hunter2', Symbol('hunter2'), 5n, circle, 'hunter2'.repeat(3)]
  for (const payload of refused) {
    await assert.rejects(queue.push(payload), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'E_INVALID_ARGUMENT')
      return !error.message.includes('hunter2')
    })
  }
  assert.equal(store.added.length, 0)
  assert.equal(await queue.push('x'.repeat(18)), true)
})

test('names, keys, delays and options that cannot work are refused', async () => {
  const store = new MemoryJobs()
  for (const name of ['', 'Mail', 'a:b', '-a', 'a b', 'a'.repeat(65), '../x']) {
    assert.throws(() => new Queue(name, store, { encrypter }), /a queue name must be 1 to 64/)
  }
  const queue = new Queue('mail', store, { encrypter })
  for (const delay of [-1, NaN, Infinity, 1e9]) {
    await assert.rejects(queue.push('x', { delay }), /a job delay in seconds must be/)
  }
  for (const key of ['', 'x'.repeat(1_025)]) {
    await assert.rejects(queue.push('x', { key }), /a job key must be a string of 1 to 1024/)
  }
  const wrong = [
    { attempts: 0 },
    { attempts: 1.5 },
    { backoff: -1 },
    { visibility: 0 },
    { timeout: 0 },
    { remember: NaN },
    { maxPayload: 0 },
  ]
  for (const options of wrong) {
    const [name = ''] = Object.keys(options)
    assert.throws(() => new Queue('mail', store, { encrypter, ...options }), {
      code: 'E_INVALID_ARGUMENT',
      message: new RegExp(`^${name} of a queue must be a `),
    })
  }
})

test('a queue is completed by the defaults of the decisions', () => {
  const { encrypter: _, ...options } = new Queue('mail', new MemoryJobs(), { encrypter }).options
  assert.deepEqual(options, {
    attempts: 3,
    backoff: 10,
    maxBackoff: 3_600,
    visibility: 60,
    timeout: 900,
    remember: 86_400,
    maxPayload: 8_388_608,
  })
})
