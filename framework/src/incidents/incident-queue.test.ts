import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'
import { bareIncident } from '../../tests/support/sample-incident.ts'
import type { Incident } from './incident.ts'
import { IncidentQueue } from './incident-queue.ts'
import type { IncidentTarget, SendOutcome } from './incident-target.ts'

const sent: SendOutcome = { isSent: true, notice: null }

class FakeTarget implements IncidentTarget {
  readonly name = 'fake'
  readonly batchSize: number
  readonly batches: (readonly Incident[])[] = []
  isAbandoned = false
  answer: () => Promise<SendOutcome> = () => Promise.resolve(sent)

  constructor(batchSize = 1) {
    this.batchSize = batchSize
  }

  send(incidents: readonly Incident[]): Promise<SendOutcome> {
    this.batches.push(incidents)
    return this.answer()
  }

  stop(): void {}

  abandon(): void {
    this.isAbandoned = true
  }
}

const incidents = (count: number): Incident[] => Array.from({ length: count }, bareIncident)

test('incidents go in order and in batches, one request at a time', async () => {
  const target = new FakeTarget(2)
  let running = 0
  let most = 0
  target.answer = async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running -= 1
    return sent
  }
  const queue = new IncidentQueue(target)
  const all = incidents(5)
  await Promise.all(all.map((incident) => queue.add(incident)))
  assert.deepEqual(target.batches.flat(), all)
  assert.deepEqual(
    target.batches.map(({ length }) => length),
    [2, 2, 1],
  )
  assert.equal(most, 1)
  assert.deepEqual([queue.sent, queue.dropped], [5, 0])
})

test('it works again after it was empty', async () => {
  const queue = new IncidentQueue(new FakeTarget())
  await queue.add(bareIncident())
  await queue.add(bareIncident())
  assert.equal(queue.sent, 2)
})

test('what does not fit is dropped and counted', async () => {
  const target = new FakeTarget()
  const gate = Promise.withResolvers<SendOutcome>()
  target.answer = () => gate.promise
  const queue = new IncidentQueue(target, { max: 3 })
  const first = queue.add(bareIncident())
  await Promise.resolve()
  await Promise.resolve()
  const more = incidents(10).map((incident) => queue.add(incident))
  assert.equal(queue.isFull, true)
  assert.equal(queue.dropped, 7)
  gate.resolve(sent)
  await Promise.all([first, ...more])
  assert.deepEqual([queue.sent, queue.dropped, queue.isFull], [4, 7, false])
})

test('what the target does not take is dropped, even when it fails against its promise', async () => {
  const target = new FakeTarget()
  const notices: unknown[] = []
  const notice = (text: string, context: object): void => void notices.push([text, context])
  const queue = new IncidentQueue(target, { notice })
  target.answer = () => Promise.reject(new Error('password=hunter2'))
  await queue.add(bareIncident())
  target.answer = () => Promise.resolve({ isSent: false, notice: 'away' })
  await queue.add(bareIncident())
  assert.deepEqual([queue.sent, queue.dropped], [0, 2])
  const context = { target: 'fake', dropped: 1, reason: 'password=[redacted]' }
  assert.deepEqual(notices, [['errors were not sent to fake', context]])
})

test('losses are told once a minute, with their number since the last time', async () => {
  let nowMs = 0
  const target = new FakeTarget()
  target.answer = () => Promise.resolve({ isSent: false, notice: 'away' })
  const numbers: unknown[] = []
  const notice = (_: string, context: Readonly<Record<string, unknown>>): void =>
    void numbers.push(context['dropped'])
  const queue = new IncidentQueue(target, { notice, nowMs: () => nowMs })
  for (let round = 0; round < 5; round += 1) await queue.add(bareIncident())
  nowMs = 60_000
  await queue.add(bareIncident())
  assert.deepEqual(numbers, [1, 5])
})

test('a warning of a server that took everything is told too', async () => {
  const target = new FakeTarget()
  target.answer = () => Promise.resolve({ isSent: true, notice: 'old version' })
  const notices: unknown[] = []
  const queue = new IncidentQueue(target, { notice: (...told) => notices.push(told) })
  await queue.add(bareIncident())
  assert.deepEqual(notices, [['fake warns', { target: 'fake', dropped: 0, reason: 'old version' }]])
})

test('an urgent incident passes those that wait for a slow server', async () => {
  const target = new FakeTarget()
  const gate = Promise.withResolvers<SendOutcome>()
  target.answer = () => gate.promise
  const queue = new IncidentQueue(target)
  const slow = queue.add(bareIncident())
  await Promise.resolve()
  target.answer = () => Promise.resolve(sent)
  await queue.addUrgent(bareIncident())
  assert.equal(queue.sent, 1)
  gate.resolve(sent)
  await slow
})

test('sending does not belong to the work that failed', async () => {
  const storage = new AsyncLocalStorage<string>()
  const target = new FakeTarget()
  const seen: unknown[] = []
  target.answer = () => {
    seen.push(storage.getStore())
    return Promise.resolve(sent)
  }
  const queue = new IncidentQueue(target)
  await storage.run('a request', () => queue.add(bareIncident()))
  await storage.run('a request', () => queue.addUrgent(bareIncident()))
  assert.deepEqual(seen, [undefined, undefined])
})

test('closing drops what waits and ends what is on its way', async () => {
  const target = new FakeTarget()
  const gate = Promise.withResolvers<SendOutcome>()
  target.answer = () => gate.promise
  const queue = new IncidentQueue(target)
  const sending = queue.add(bareIncident())
  await Promise.resolve()
  for (const incident of incidents(3)) void queue.add(incident)
  queue.close()
  assert.equal(target.isAbandoned, true)
  gate.resolve({ isSent: false, notice: null })
  await sending
  assert.equal(target.batches.length, 1)
  assert.equal(queue.dropped, 4)
})
