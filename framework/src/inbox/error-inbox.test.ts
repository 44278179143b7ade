import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RecordedErrors } from '../../tests/support/recorded-errors.ts'
import { createThrowables } from '../errors/throwables/throwables.ts'
import type { Throwables } from '../errors/throwables/throwables.ts'
import { Activity, ActivityKinds } from '../activity/activity.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { primaryReporter } from './pending-errors.ts'
import { ErrorInbox } from './error-inbox.ts'
import type { ErrorInboxOptions } from './error-inbox.ts'
import { waitingFileName } from './waiting-file.ts'

class Work extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Request
  readonly id = 'r1'
  readonly title: string
  readonly account: string | null

  constructor(title: string, account: string | null) {
    super()
    this.title = title
    this.account = account
  }
}

interface Site {
  readonly root: string
  readonly store: RecordedErrors
  readonly throwables: Throwables
  readonly inbox: ErrorInbox
  readonly pass: (seconds: number) => void
}

function site(t: TestContext, options: Partial<ErrorInboxOptions> = {}): Site {
  const root = mkdtempSync(join(tmpdir(), 'framework-inbox-'))
  const store = new RecordedErrors()
  const throwables = createThrowables()
  let now = 1_700_000_000
  const clock = (): number => now
  const inbox = new ErrorInbox(store, { root, release: '1.2', throwables, clock, ...options })
  t.after(async () => {
    await inbox.close()
    rmSync(root, { recursive: true, force: true })
  })
  return { root, store, throwables, inbox, pass: (seconds) => void (now += seconds) }
}

function failure(root: string, name = 'placeOrder'): Error {
  const error = new RangeError('no item 7')
  error.stack = `RangeError: no item 7\n    at ${name} (${root}/routes/orders.ts:3:4)`
  return error
}

/** An error of the project whose cause has a code. */
function wrapped(root: string): Error {
  const error = failure(root)
  error.cause = Object.assign(new Error('disk full'), { code: 'ENOSPC' })
  return error
}

function waitingIn(root: string): string {
  return readFileSync(join(root, 'storage', waitingFileName), 'utf8')
}

test('ten thousand errors of a group are one write with one sample', async (t) => {
  const { root, store, throwables, inbox } = site(t)
  for (let at = 0; at < 10_000; at += 1) {
    CurrentWork.runActivity(new Work(`GET /orders/${at % 50}`, String(at % 500)), () =>
      throwables.notify(failure(root)),
    )
  }
  assert.equal(store.batches.length, 0)
  await inbox.flush()
  const [batch, ...others] = store.batches
  assert.equal(others.length, 0)
  assert.equal(batch?.count, 10_000)
  assert.equal(batch.class, 'RangeError')
  assert.equal(batch.place, 'routes/orders.ts placeOrder')
  assert.equal(batch.release, '1.2')
  assert.equal(batch.accounts.length, 100)
  assert.equal(batch.titles.length, 20)
  assert.equal(batch.sample?.chain[0]?.message, 'no item 7')
  assert.equal(batch.sample?.activity?.title, 'GET /orders/0')
})

test('at most 250 groups and 50 samples are pending, and the rest is counted as lost', async (t) => {
  const { root, store, throwables, inbox } = site(t)
  for (let at = 0; at < 260; at += 1) throwables.notify(failure(root, `call${at}`))
  assert.equal(inbox.lost, 10)
  await inbox.flush()
  assert.equal(store.batches.length, 250)
  assert.equal(store.batches.filter(({ sample }) => sample !== null).length, 50)
})

test('between two groups that are stored, other work gets its turn', async (t) => {
  const { root, store, throwables, inbox } = site(t)
  for (let at = 0; at < 100; at += 1) throwables.notify(failure(root, `call${at}`))
  const storedAtTurn: number[] = []
  const turn = (): void => {
    storedAtTurn.push(store.batches.length)
    if (store.batches.length < 100) setImmediate(turn)
  }
  turn()
  await inbox.flush()
  const most = storedAtTurn.slice(1).map((count, at) => count - (storedAtTurn[at] ?? 0))
  assert.ok(Math.max(...most) <= 2, `${Math.max(...most)} groups in one turn`)
})

test('reports that were suppressed before count too', async (t) => {
  const { root, store, throwables, inbox } = site(t)
  throwables.notify(failure(root), { suppressed: 41 })
  await inbox.flush()
  assert.equal(store.batches[0]?.count, 42)
})

test('while the database is away errors wait in the file, and are stored when it is back', async (t) => {
  const { root, store, throwables, inbox, pass } = site(t)
  store.failure = new Error('connection lost')
  throwables.notify(failure(root))
  await inbox.flush()
  assert.equal(store.batches.length, 0)
  throwables.notify(failure(root))
  // Too early for another attempt.
  await inbox.flush()
  assert.equal(waitingIn(root).trim().split('\n').length, 1)
  pass(4)
  await inbox.flush()
  const lines = waitingIn(root).trim().split('\n')
  assert.equal(lines.length, 2)
  assert.equal(JSON.parse(lines[1] ?? '').sample, null, 'one sample of a group is enough')
  store.failure = null
  throwables.notify(failure(root))
  pass(60)
  await inbox.flush()
  assert.equal(waitingIn(root), '')
  assert.equal(readdirSync(join(root, 'storage')).length, 1)
  assert.deepEqual(
    store.batches.map(({ count }) => count),
    [1, 1, 1],
  )
  assert.equal(inbox.lost, 0)
})

test('what waits is stored when the database is back, also if nothing else fails', async (t) => {
  const { root, store, throwables, inbox, pass } = site(t)
  store.failure = new Error('connection lost')
  throwables.notify(failure(root))
  await inbox.flush()
  pass(60)
  // Still away: what waits goes on waiting, as it is.
  await inbox.flush()
  store.failure = null
  pass(120)
  await inbox.flush()
  assert.equal(store.batches.length, 1)
  assert.notEqual(store.batches[0]?.sample, null)
})

test('while the database is away, memory and file are bounded however many errors there are, and none is uncounted', async (t) => {
  const { root, store, throwables, inbox, pass } = site(t)
  store.failure = new Error('connection lost')
  const path = join(root, 'storage', waitingFileName)
  let reported = 0
  for (let round = 0; round < 20; round += 1) {
    for (let at = 0; at < 500; at += 1, reported += 1) {
      // Half of them are the same, and half of them new each time, each with a message of 10 kB.
      const error = failure(root, at % 2 === 0 ? 'placeOrder' : `call${round}x${at}`)
      error.message = `no item ${at}`.repeat(1_000)
      throwables.notify(error)
    }
    pass(61)
    await inbox.flush()
    assert.ok(statSync(path).size <= 1_048_576, `${statSync(path).size} bytes wait`)
  }
  store.failure = null
  pass(61)
  await inbox.flush()
  const counts = store.batches.map(({ count }) => count)
  assert.ok(counts.length < 2_500, `${counts.length} batches waited`)
  assert.equal(counts.reduce((sum, count) => sum + count, 0) + inbox.lost, reported)
})

test('a batch that the database refuses is lost, and does not keep others waiting', async (t) => {
  const { root, store, throwables, inbox } = site(t)
  store.failure = new Error('no such table')
  store.isOutage = false
  throwables.notify(failure(root))
  await inbox.flush()
  assert.equal(inbox.lost, 1)
  assert.equal(waitingIn(root), '')
  store.failure = null
  throwables.notify(failure(root))
  await inbox.flush()
  assert.equal(store.batches.length, 1)
})

for (const origin of ['exception', 'fatal']) {
  test(`an error that ends the process (${origin}) is in the file at once`, async (t) => {
    const { root, store, throwables, inbox } = site(t)
    throwables.notify(failure(root), { origin })
    assert.match(waitingIn(root), /no item 7/)
    await inbox.flush()
    assert.equal(store.batches[0]?.sample?.context[0]?.preview, origin)
  })
}

test('a process that goes on after an uncaught error writes nothing at once', async (t) => {
  const { root, store, throwables, inbox } = site(t)
  throwables.exit = false
  for (let at = 0; at < 3; at += 1) throwables.notify(failure(root), { origin: 'exception' })
  assert.equal(waitingIn(root), '')
  await inbox.flush()
  assert.equal(store.batches[0]?.count, 3)
})

test('the crash of a worker that its primary reports reaches the inbox, with its release', async (t) => {
  const { root, store, inbox } = site(t)
  const primary = createThrowables()
  primary.add(primaryReporter(root))
  primary.notify(failure(root), { origin: 'fatal', pid: 7 })
  await inbox.flush()
  assert.equal(store.batches.length, 1)
  assert.equal(store.batches[0]?.release, '1.2')
})

test('a project without an inbox keeps no crashes', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'framework-inbox-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const primary = createThrowables()
  primary.add(primaryReporter(root))
  primary.notify(failure(root), { origin: 'fatal' })
  assert.throws(() => waitingIn(root), { code: 'ENOENT' })
})

test('closing stores what is pending, or leaves it in the file, and ends the reports', async (t) => {
  const { root, store, throwables, inbox } = site(t)
  throwables.notify(failure(root))
  await inbox.close()
  assert.equal(store.batches.length, 1)
  throwables.notify(failure(root))
  await inbox.flush()
  assert.equal(store.batches.length, 1)
  assert.equal(throwables.reporters.length, 0)

  const other = site(t)
  other.store.failure = new Error('connection lost')
  other.throwables.notify(failure(other.root))
  await other.inbox.close()
  assert.match(waitingIn(other.root), /no item 7/)
})

test('closing waits two seconds for a database that does not answer, and leaves the rest in the file', async (t) => {
  const { root, store, throwables, inbox } = site(t)
  const { promise: answer, resolve } = Promise.withResolvers<null>()
  store.record = () => answer
  throwables.notify(failure(root))
  throwables.notify(failure(root, 'pay'))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const closing = inbox.close()
  t.mock.timers.tick(2_000)
  await closing
  t.mock.timers.reset()
  resolve(null)
  assert.equal(waitingIn(root).trim().split('\n').length, 2)
})

test('a group that comes back is told once, and a failing listener is reported', async (t) => {
  const told: string[] = []
  const { root, store, throwables, inbox } = site(t, {
    onReturn: ({ class: name }) => {
      told.push(name)
      throw new Error('no mail server')
    },
  })
  const reported: string[] = []
  throwables.add(({ message }) => void reported.push(message))
  throwables.notify(failure(root))
  const [batch] = store.batches
  assert.equal(batch, undefined)
  store.returned = {
    fingerprint: 'f',
    class: 'RangeError',
    message: '',
    code: null,
    place: '',
    state: 'open',
    count: 2,
    firstSeen: 1,
    lastSeen: 2,
    firstRelease: '',
    lastRelease: '',
    resolvedAt: null,
    resolvedRelease: null,
    returnedAt: 2,
    returnedRelease: '',
    accounts: 0,
    hours: [],
  }
  await inbox.flush()
  await inbox.flush()
  assert.deepEqual(told, ['RangeError'])
  assert.deepEqual(reported, ['no item 7', 'no mail server'])
})

test('it sweeps by itself, about once an hour', async (t) => {
  const { store, inbox, pass } = site(t)
  pass(3_600)
  await inbox.flush()
  await inbox.flush()
  assert.equal(store.sweeps, 1)
  pass(3_600)
  await inbox.flush()
  assert.equal(store.sweeps, 2)
})

test('it follows requests only until it is closed', async (t) => {
  const before = CurrentWork.isFollowed
  const { inbox } = site(t)
  assert.equal(CurrentWork.isFollowed, true)
  await inbox.close()
  assert.equal(CurrentWork.isFollowed, before)
})

test('a group has the code of the error, or of the nearest cause that has one', async (t) => {
  const { root, store, throwables, inbox } = site(t)
  throwables.notify(wrapped(root))
  await inbox.flush()
  assert.deepEqual(
    store.batches.map(({ code }) => code),
    ['ENOSPC'],
  )
})
