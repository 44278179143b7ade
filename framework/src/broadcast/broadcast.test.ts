import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from '../errors/throwables/throwables.ts'
import { Broadcast } from './broadcast.ts'
import type { BroadcastEntry, LogFollower } from './broadcast-log.ts'
import type { FeedSink } from './feed.ts'
import { defaultLimits } from './history.ts'
import { MemoryLog } from './memory-log.ts'
import { formatPosition } from './position.ts'

interface Channels {
  notes: { added: { title: string; at?: Date }; removed: { id: number } }
  [user: `user:${number}`]: { mail: number }
}

/** Writes down what a sink gets. */
function recorder(): FeedSink & { readonly seen: string[] } {
  const seen: string[] = []
  const shown = ({ position, name, data }: BroadcastEntry): string =>
    `${position.sequence} ${name} ${data}`
  return {
    seen,
    begin: (id) => seen.push(`begin ${sequenceIn(id)}`),
    replay: (entries) => seen.push(...entries.map((entry) => `replayed ${shown(entry)}`)),
    send: (entry) => seen.push(shown(entry)),
    reset: (id) => seen.push(`reset ${sequenceIn(id)}`),
  }
}

const sequenceIn = (id: string): string => id.split('-')[1] ?? ''
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('subscribers get typed events of their channel, in order, until they leave', async () => {
  const broadcast = new Broadcast<Channels>()
  const seen: unknown[] = []
  const stop = broadcast.subscribe('notes', ({ name, data }) => seen.push([name, data]))
  broadcast.subscribe('user:7', ({ data }) => seen.push(data))
  await settled()
  const at = new Date(0)
  await broadcast.publish('notes', 'added', { title: 'one', at })
  await broadcast.publish('user:7', 'mail', 3)
  await broadcast.publish('user:8', 'mail', 4)
  await broadcast.publish('notes', 'removed', { id: 1 })
  stop()
  await broadcast.publish('notes', 'removed', { id: 2 })
  assert.deepEqual(seen, [
    ['added', { title: 'one', at: '1970-01-01T00:00:00.000Z' }],
    3,
    ['removed', { id: 1 }],
  ])
  await broadcast.close()
})

test('a failing listener is reported, and the others still run', async () => {
  const throwables = createThrowables()
  const reported: Error[] = []
  throwables.reporters.push((error) => reported.push(error))
  const broadcast = new Broadcast<Channels>({ throwables })
  const seen: unknown[] = []
  broadcast.subscribe('user:1', () => {
    throw new Error('broken')
  })
  broadcast.subscribe('user:1', () => Promise.reject(new Error('rejected')))
  broadcast.subscribe('user:1', ({ data }) => seen.push(data))
  await settled()
  await broadcast.publish('user:1', 'mail', 1)
  await settled()
  assert.deepEqual(seen, [1])
  assert.deepEqual(
    reported.map(({ message }) => message),
    ['broken', 'rejected'],
  )
})

test('a feed goes on after the last id: what was missed once, then what follows', async () => {
  const broadcast = new Broadcast<Channels>()
  const first = await broadcast.publish('user:1', 'mail', 1)
  await broadcast.publish('user:2', 'mail', 2)
  await broadcast.publish('user:1', 'mail', 3)
  const sink = recorder()
  const subscription = broadcast.channel('user:1').open(first, sink)
  await settled()
  await broadcast.publish('user:2', 'mail', 4)
  await broadcast.publish('user:1', 'mail', 5)
  assert.deepEqual(sink.seen, ['begin 1', 'replayed 3 mail 3', '5 mail 5'])
  assert.equal(sequenceIn(subscription.id ?? ''), '5')
  subscription.close()
  await broadcast.publish('user:1', 'mail', 6)
  assert.equal(sink.seen.length, 3)
})

test('a feed without an id begins now, and several channels keep one order', async () => {
  const broadcast = new Broadcast<Channels>()
  await broadcast.publish('user:1', 'mail', 1)
  const sink = recorder()
  broadcast.channel('user:1', 'notes').open(null, sink)
  await settled()
  await broadcast.publish('notes', 'removed', { id: 2 })
  await broadcast.publish('user:1', 'mail', 3)
  assert.deepEqual(sink.seen, ['begin 1', '2 removed {"id":2}', '3 mail 3'])
})

test('an id that is too old, from elsewhere or made up resets the client', async () => {
  const broadcast = new Broadcast<Channels>({ maxEvents: 2 })
  const first = await broadcast.publish('user:1', 'mail', 1)
  for (const mail of [2, 3, 4]) await broadcast.publish('user:1', 'mail', mail)
  for (const id of [first, '17-2', 'x', '']) {
    const sink = recorder()
    broadcast.channel('user:1').open(id, sink)
    await settled()
    await broadcast.publish('user:1', 'mail', 5)
    assert.equal(sink.seen.length, 2, id)
    assert.match(sink.seen[0] ?? '', /^reset \d$/)
    assert.match(sink.seen[1] ?? '', /^\d mail 5$/)
  }
})

/** A broadcast whose log the test writes. */
function followed(): { broadcast: Broadcast<Channels>; log: LogFollower } {
  const logs: LogFollower[] = []
  const broadcast = new Broadcast<Channels>({
    log: {
      append: () => Promise.reject(new Error('nobody publishes')),
      follow: (follower) => logs.push(follower),
      close: () => {},
    },
  })
  const log: LogFollower = {
    restart: (position, entries) => logs[0]?.restart(position, entries),
    receive: (entries) => logs[0]?.receive(entries),
  }
  return { broadcast, log }
}

function mail(sequence: number, epoch = 7): BroadcastEntry {
  const position = { epoch, sequence }
  const data = String(sequence)
  return { position, atMs: Date.now(), channel: 'user:1', name: 'mail', data }
}

test('a client that comes from a process that knows more gets nothing twice', async () => {
  const { broadcast, log } = followed()
  const sink = recorder()
  const subscription = broadcast.channel('user:1').open('7-3', sink)
  log.restart({ epoch: 7, sequence: 0 }, [mail(1), mail(2)])
  await settled()
  assert.equal(subscription.id, '7-3', 'not less than the client knows')
  log.receive([mail(3)])
  log.receive([mail(3), mail(4)])
  assert.deepEqual(sink.seen, ['begin 3', '4 mail 4'])
  assert.equal(subscription.id, '7-4')
})

test('a gap in the log resets everybody once, and what follows arrives', async () => {
  const { broadcast, log } = followed()
  const sink = recorder()
  let resets = 0
  broadcast.channel('user:1').open(null, sink)
  broadcast.subscribe('notes', () => {}, { onReset: () => (resets += 1) })
  log.restart({ epoch: 7, sequence: 0 }, [mail(1)])
  await settled()
  log.receive([mail(5), mail(6)])
  assert.deepEqual(sink.seen, ['begin 1', 'reset 4', '5 mail 5', '6 mail 6'])
  log.restart({ epoch: 9, sequence: 0 }, [mail(1, 9)])
  log.receive([mail(2, 9)])
  assert.deepEqual(sink.seen.slice(4), ['reset 1', '2 mail 2'])
  assert.equal(resets, 2)
  assert.equal(await broadcast.position(), formatPosition({ epoch: 9, sequence: 2 }))
})

test('invalid channels, names and data are refused without showing the data', async () => {
  const broadcast = new Broadcast()
  const refused = { code: 'E_INVALID_ARGUMENT' }
  await assert.rejects(broadcast.publish('a b', 'x', 1), refused)
  for (const name of ['', 'a b', 'a\nb', 'reset', 'error', 'open']) {
    await assert.rejects(broadcast.publish('a', name, 1), refused)
  }
  const circular: unknown[] = ['secret']
  circular.push(circular)
  for (const data of [undefined, 7n, circular, 'secret'.repeat(20_000)]) {
    await assert.rejects(broadcast.publish('a', 'x', data), (error: Error) => {
      assert.doesNotMatch(error.message, /secret/)
      return Object.hasOwn(error, 'code')
    })
  }
})

test('ids of a restarted process are not those of the one before', async () => {
  const started = (ms: number): Broadcast =>
    new Broadcast({ log: new MemoryLog(defaultLimits, () => ms) })
  assert.equal(await started(1_000).publish('a', 'x', 1), '1000-1')
  assert.equal(await started(2_000).publish('a', 'x', 1), '2000-1')
})
