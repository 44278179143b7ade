import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { Broadcast } from './broadcast.ts'
import { defaultLimits } from './history.ts'
import { FleetLog, isWorkerMessage } from './fleet-log.ts'
import type { PrimaryMessage } from './fleet-log.ts'
import { FleetRelay } from './fleet-relay.ts'

/** A worker whose messages to and from the primary are copied as between processes. */
function worker(relay: FleetRelay) {
  const channel = new EventEmitter()
  const held: (() => void)[] = []
  const state = { isHeld: false, messages: 0 }
  const toWorker = {
    isConnected: () => true,
    send: (message: PrimaryMessage, sent: (error: null) => void) => {
      const deliver = (): void => {
        state.messages += 1
        channel.emit('message', structuredClone(message))
        sent(null)
      }
      if (state.isHeld) held.push(deliver)
      else setImmediate(deliver)
    },
  }
  const toPrimary = Object.assign(channel, {
    send: (message: unknown) => {
      const copy: unknown = structuredClone(message)
      setImmediate(() => isWorkerMessage(copy) && relay.receive(toWorker, copy))
    },
  })
  const log = new FleetLog({ ...defaultLimits, maxEvents: 50 }, toPrimary)
  return {
    state,
    broadcast: new Broadcast({ log, maxEvents: 50 }),
    /** Lets the held messages through. */
    release: () => {
      state.isHeld = false
      for (const deliver of held.splice(0)) deliver()
    },
  }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('what any worker publishes reaches all in one order, with the same ids', async () => {
  const relay = new FleetRelay()
  const workers = [worker(relay), worker(relay)]
  const seen = workers.map(({ broadcast }) => {
    const ids: string[] = []
    broadcast.subscribe('a', ({ id, data }) => ids.push(`${id} ${String(data)}`))
    return ids
  })
  await settled()
  const ids = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => workers[at % 2]?.broadcast.publish('a', 'x', at)),
  )
  await settled()
  assert.equal(new Set(ids).size, 20)
  assert.equal(seen[0]?.length, 20)
  assert.deepEqual(seen[0], seen[1])
})

test('a worker that starts later gets the history, from before it existed', async () => {
  const relay = new FleetRelay()
  const first = worker(relay)
  // More than fits into one message.
  const large = 'x'.repeat(60_000)
  const [id = ''] = await Promise.all(
    Array.from({ length: 9 }, () => first.broadcast.publish('a', 'x', large)),
  )
  const late = worker(relay)
  const replayed: string[] = []
  late.broadcast.channel('a').open(id, {
    begin: () => {},
    replay: (entries) => replayed.push(...entries.map(({ name }) => name)),
    send: () => assert.fail('sent as new'),
    reset: () => assert.fail('reset'),
  })
  await settled()
  assert.equal(replayed.length, 8)
})

test('a worker that does not read has one message underway, and then gets the rest', async () => {
  const relay = new FleetRelay()
  const [writer, reader] = [worker(relay), worker(relay)]
  const seen: unknown[] = []
  let resets = 0
  reader.broadcast.subscribe('a', ({ data }) => seen.push(data), { onReset: () => (resets += 1) })
  await settled()
  reader.state.isHeld = true
  for (let at = 0; at < 40; at += 1) await writer.broadcast.publish('a', 'x', at)
  const before = reader.state.messages
  reader.release()
  await settled()
  assert.deepEqual(seen, [...Array(40).keys()])
  assert.equal(reader.state.messages - before, 2, 'the held one, and one with all others')
  reader.state.isHeld = true
  for (let at = 0; at < 90; at += 1) await writer.broadcast.publish('a', 'x', at)
  reader.release()
  await settled()
  assert.equal(resets, 1, 'more than the history keeps')
})

test('without its primary a worker is told that an event was not published', async () => {
  const log = new FleetLog(defaultLimits, Object.assign(new EventEmitter(), {}))
  const failure = { code: 'E_BROADCAST' }
  await assert.rejects(log.append({ channel: 'a', name: 'x', data: '1' }), failure)
})
