import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createThrowables } from '../errors/throwables/throwables.ts'
import type { Throwables } from '../errors/throwables/throwables.ts'
import { Activity, ActivityKinds } from '../activity/activity.ts'
import { CurrentWork } from '../activity/current-work.ts'
import type { Incident } from './incident.ts'
import { IncidentExporter } from './incident-exporter.ts'
import type { ExporterOptions } from './incident-exporter.ts'
import type { IncidentTarget, SendOutcome } from './incident-target.ts'

class Work extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Job
  readonly id = 'j1'
  readonly title = 'mail'
  readonly account = '7'
}

class FakeTarget implements IncidentTarget {
  readonly name = 'fake'
  readonly batchSize = 50
  readonly received: Incident[] = []
  isStopped = false
  isAbandoned = false
  answer: () => Promise<SendOutcome> = () => Promise.resolve({ isSent: true, notice: null })

  send(incidents: readonly Incident[]): Promise<SendOutcome> {
    this.received.push(...incidents)
    return this.answer()
  }

  stop(): void {
    this.isStopped = true
  }

  abandon(): void {
    this.isAbandoned = true
  }
}

interface Exporting {
  readonly target: FakeTarget
  readonly exporter: IncidentExporter
  readonly throwables: Throwables
}

function exporting(t: TestContext, options: Partial<ExporterOptions> = {}): Exporting {
  const target = new FakeTarget()
  const exporter = new IncidentExporter({ targets: [target], ...options })
  const throwables = createThrowables()
  throwables.add(exporter.report)
  t.after(() => exporter.close())
  return { target, exporter, throwables }
}

test('a throwable is described after the response, and knows the work that it came from', async (t) => {
  const { target, throwables } = exporting(t)
  let isDescribed = false
  const error = Object.defineProperty(new Error('x'), 'order', {
    get: () => (isDescribed = true),
  })
  CurrentWork.runActivity(new Work(), () => throwables.notify(error, { queue: 'mail' }))
  await Promise.resolve()
  assert.deepEqual([isDescribed, target.received.length], [false, 0])
  await throwables.settled(60_000)
  const [incident] = target.received
  assert.equal(incident?.chain[0]?.message, 'x')
  assert.equal(incident?.activity?.account, '7')
  assert.equal(incident?.context['queue'], 'mail')
})

test('throwables settle when they were sent, not before', async (t) => {
  const { target, exporter, throwables } = exporting(t)
  const gate = Promise.withResolvers<SendOutcome>()
  target.answer = () => gate.promise
  throwables.notify(new Error('x'))
  await throwables.settled(5)
  assert.equal(exporter.queues[0]?.sent, 0)
  gate.resolve({ isSent: true, notice: null })
  await throwables.settled(60_000)
  assert.equal(exporter.queues[0]?.sent, 1)
})

test('of one class and line ten a minute are sent; the next window says how many were not', async (t) => {
  let nowMs = 0
  const { target, exporter, throwables } = exporting(t, { nowMs: () => nowMs })
  const fail = (): void => throwables.notify(new Error('x'))
  for (let round = 0; round < 1_000; round += 1) fail()
  await exporter.flush(60_000)
  assert.equal(target.received.length, 10)
  assert.equal(exporter.suppressed, 990)
  nowMs = 60_000
  fail()
  await exporter.flush(60_000)
  assert.equal(target.received.at(-1)?.context['suppressed'], 990)
})

test('of all throwables 300 a minute are sent', async (t) => {
  let nowMs = 0
  const { target, exporter, throwables } = exporting(t, {
    nowMs: () => nowMs,
    maxWaiting: 1_000,
  })
  const fail = (line: number): void => {
    const error = new Error('x')
    error.stack = `Error: x\n    at /shop/a.ts:${line}:1`
    throwables.notify(error)
  }
  for (let line = 1; line <= 500; line += 1) fail(line)
  await exporter.flush(60_000)
  assert.equal(target.received.length, 300)
  assert.equal(exporter.suppressed, 200)
  nowMs = 60_000
  fail(501)
  await exporter.flush(60_000)
  assert.equal(target.received.length, 301)
})

test('while a server is slow a hundred wait, and the others are dropped undescribed', async (t) => {
  const { target, exporter, throwables } = exporting(t, { limit: { max: 1_000, window: 60 } })
  const gate = Promise.withResolvers<SendOutcome>()
  target.answer = () => gate.promise
  const [queue] = exporter.queues
  throwables.notify(new Error('first'))
  await new Promise(setImmediate)
  for (let round = 0; round < 150; round += 1) throwables.notify(new Error('x'))
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  assert.equal(queue?.isFull, true)
  assert.equal(queue?.dropped, 50)
  let isRead = false
  throwables.notify(
    Object.defineProperty(new Error('x'), 'order', {
      get: () => {
        isRead = true
        return 7
      },
    }),
  )
  gate.resolve({ isSent: true, notice: null })
  await exporter.flush(60_000)
  assert.deepEqual([queue?.sent, queue?.dropped], [101, 51])
  assert.equal(isRead, false)
})

test('an uncaught throwable is sent at once, though limits are used up and others wait', async (t) => {
  const { target, exporter, throwables } = exporting(t, { totalLimit: { max: 1, window: 60 } })
  const gate = Promise.withResolvers<SendOutcome>()
  target.answer = () => gate.promise
  throwables.notify(new Error('slow'))
  await new Promise(setImmediate)
  target.answer = () => Promise.resolve({ isSent: true, notice: null })
  throwables.notify(new Error('last words'), { origin: 'exception' })
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  assert.deepEqual(
    target.received.map(({ chain }) => chain[0]?.message),
    ['slow', 'last words'],
  )
  gate.resolve({ isSent: true, notice: null })
  await exporter.flush(60_000)
})

test('a process that goes on after uncaught throwables cannot flood the server', async (t) => {
  const { target, exporter, throwables } = exporting(t)
  for (let round = 0; round < 1_000; round += 1) {
    throwables.notify(new Error('x'), { origin: 'exception' })
  }
  await exporter.flush(60_000)
  assert.equal(target.received.length, 20)
})

test('every target gets every throwable, whatever becomes of the other', async (t) => {
  const dead = new FakeTarget()
  dead.answer = () => Promise.resolve({ isSent: false, notice: 'away' })
  const alive = new FakeTarget()
  const { exporter, throwables } = exporting(t, { targets: [dead, alive] })
  throwables.notify(new Error('x'))
  await exporter.flush(60_000)
  assert.deepEqual(
    exporter.queues.map(({ sent, dropped }) => [sent, dropped]),
    [
      [0, 1],
      [1, 0],
    ],
  )
  assert.equal(dead.received[0], alive.received[0])
})

test('closing sends what is left, lets no further attempt begin, and follows requests no longer', async () => {
  const target = new FakeTarget()
  const before = CurrentWork.isFollowed
  const exporter = new IncidentExporter({ targets: [target] })
  assert.equal(CurrentWork.isFollowed, true)
  void exporter.report(new Error('x'), {})
  await exporter.close()
  assert.equal(target.received.length, 1)
  assert.deepEqual([target.isStopped, target.isAbandoned], [true, true])
  assert.equal(CurrentWork.isFollowed, before)
})

test('flushing gives up when the time is up', async (t) => {
  const { target, exporter, throwables } = exporting(t)
  target.answer = () => new Promise(() => {})
  throwables.notify(new Error('x'))
  await exporter.flush(5)
})
