import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Encrypter } from '../base/crypto/encrypter.ts'
import { createThrowables } from '../errors/throwables/throwables.ts'
import { runQueue } from '../queue/run-queue.ts'
import type { NewJob } from '../queue/job-store.ts'
import { MemoryJobs } from '../queue/memory-jobs.ts'
import { Queue } from '../queue/queue.ts'
import type { Lane } from './lane.ts'
import type { RawMessage, PackedMessage } from './raw-message.ts'
import { MailError } from './mail-error.ts'
import { Mailer } from './mailer.ts'
import { MemoryLane } from './memory-lane.ts'
import { Message } from './message.ts'

const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')
const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)

const reset = new Message({
  to: 'ada@example.org',
  bcc: 'eve@example.org',
  subject: 'Reset',
  text: 'Open https://shop.example/reset/abc/secret-verifier\n',
  attachments: [{ name: 'all.bin', content: bytes }],
})

/** A store that shows what it is given. */
class RecordingJobs extends MemoryJobs {
  readonly added: NewJob[] = []

  override add(queue: string, job: NewJob): Promise<boolean> {
    this.added.push(job)
    return super.add(queue, job)
  }
}

/** A mailer whose messages go through a real queue, and what became of them. */
class Queued {
  now = 1_700_000_000
  readonly store = new RecordingJobs({ clock: () => this.now })
  readonly queue = new Queue<PackedMessage>('mail', this.store, { encrypter })
  readonly reports: Error[] = []
  readonly throwables = createThrowables()
  readonly mailer: Mailer

  constructor(lane: Lane) {
    this.throwables.reporters.push((error) => this.reports.push(error))
    this.mailer = new Mailer(lane, { queue: this.queue, throwables: this.throwables })
  }

  run(): ReturnType<typeof runQueue> {
    const { throwables } = this
    return runQueue(this.queue, this.mailer.work, { once: true, throwables, registry: null })
  }
}

/** Fails in these ways, one after the other, then keeps messages. */
class FailingLane extends MemoryLane {
  readonly #failures: MailError[]

  constructor(...failures: MailError[]) {
    super()
    this.#failures = failures
  }

  override send(message: RawMessage): Promise<void> {
    const failure = this.#failures.shift()
    return failure === undefined ? super.send(message) : Promise.reject(failure)
  }
}

test('a message waits in the queue, encrypted, and the worker sends the same one', async () => {
  const lane = new MemoryLane()
  const queued = new Queued(lane)
  assert.equal(await queued.mailer.deliver(reset), true)
  assert.equal(lane.messages.length, 0)
  assert.equal(queued.store.added.length, 1)
  for (const { payload } of queued.store.added) {
    const stored = Buffer.from(payload).toString('latin1')
    assert.doesNotMatch(stored, /secret-verifier|example\.org|Reset/)
  }
  assert.equal((await queued.run()).done, 1)
  assert.deepEqual(lane.messages[0]?.to, ['ada@example.org', 'eve@example.org'])
  assert.match(lane.mails[0]?.text ?? '', /secret-verifier/)
  assert.deepEqual([...(lane.mails[0]?.attachments[0]?.content ?? [])], [...bytes])
  assert.equal((await queued.queue.counts()).waiting, 0)
})

test('a dry run is a job of the same size that ends in nothing', async () => {
  const lane = new MemoryLane()
  const queued = new Queued(lane)
  await queued.mailer.deliver(reset)
  assert.equal(await queued.mailer.deliver(reset, { dryRun: true }), true)
  const [message, dryRun, ...others] = queued.store.added.map(({ payload }) => payload.length)
  assert.deepEqual([dryRun, others], [message, []])
  assert.deepEqual(await queued.run(), { done: 2, failed: 0, dead: 0, lost: 0 })
  assert.equal(lane.messages.length, 1)
  assert.deepEqual(queued.reports, [])
})

test('a message that fails is tried again later, and it is the same message', async () => {
  const lane = new FailingLane(new MailError('mail server mx:25 answered 451'))
  const queued = new Queued(lane)
  await queued.mailer.deliver(reset)
  assert.deepEqual(await queued.run(), { done: 0, failed: 1, dead: 0, lost: 0 })
  assert.equal(lane.messages.length, 0)
  queued.now += 60
  assert.equal((await queued.run()).done, 1)
  assert.equal(lane.messages.length, 1)
  assert.deepEqual(queued.reports, [])
})

test('a message that the server rejects for good is dead immediately', async () => {
  const lane = new FailingLane(new MailError('mail server mx:25 answered 550', { permanent: true }))
  const queued = new Queued(lane)
  await queued.mailer.deliver(reset)
  assert.equal((await queued.run()).dead, 1)
  assert.deepEqual(
    queued.reports.map(({ message }) => message),
    ['mail server mx:25 answered 550'],
  )
})

test('a partly delivered message is reported and not sent twice', async () => {
  const failure = new MailError('1 of 2 mailboxes did not get it', {
    partial: true,
    permanent: true,
  })
  const lane = new FailingLane(failure)
  const queued = new Queued(lane)
  await queued.mailer.deliver(reset)
  assert.equal((await queued.run()).done, 1)
  queued.now += 3_600
  await queued.run()
  assert.equal(lane.messages.length, 0)
  assert.deepEqual(queued.reports, [failure])
})

test('a message that is too large for the queue is a failed delivery', async () => {
  const queued = new Queued(new MemoryLane())
  const attachments = [{ name: 'film.mp4', content: new Uint8Array(9_000_000) }]
  const message = new Message({ to: 'ada@example.org', subject: 'Film', text: '', attachments })
  assert.equal(await queued.mailer.deliver(message), false)
  assert.equal(queued.reports.length, 1)
})

const message: PackedMessage = { id: 'a@b', from: 'a@b', to: ['c@d'], unsent: [], raw: '' }

for (const [what, payload] of Object.entries({
  nothing: null,
  'a text': 'secret-verifier',
  'no recipients': { ...message, to: 'c@d' },
  'recipients that are none': { ...message, to: [7] },
  'bytes that are none': { ...message, raw: 7 },
})) {
  test(`the worker refuses a job that is ${what}, and does not show it`, async () => {
    await assert.rejects(new Queued(new MemoryLane()).mailer.work({ payload }), {
      name: 'InvalidArgumentException',
      message:
        'a job of the mail queue does not contain a message; only the mailer may push jobs to it',
    })
  })
}
