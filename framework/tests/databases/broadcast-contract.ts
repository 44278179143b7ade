import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { Throwables } from '../../src/errors/throwables/throwables.ts'
import { Broadcast } from '../../src/broadcast/broadcast.ts'
import type { BroadcastLog } from '../../src/broadcast/broadcast-log.ts'
import { waitFor } from '../support/wait-for.ts'

/** A store that several machines share. */
export interface SharedStore {
  /** Connects one more machine. */
  readonly log: (throwables: Throwables) => Promise<BroadcastLog>
  /** Breaks all connections to the store. */
  readonly breakConnections: () => Promise<void>
  /** Removes everything from the store. */
  readonly empty: () => Promise<void>
}

interface Machine {
  readonly broadcast: Broadcast
  /** What arrived: id and number, or `reset`. */
  readonly seen: string[]
  readonly reported: Error[]
}

async function machine(t: TestContext, store: SharedStore): Promise<Machine> {
  const throwables = createThrowables()
  const reported: Error[] = []
  throwables.reporters.push((error) => reported.push(error))
  const broadcast = new Broadcast({ log: await store.log(throwables) })
  t.after(() => broadcast.close())
  const seen: string[] = []
  broadcast.subscribe('a', ({ id, data }) => seen.push(`${id} ${String(data)}`), {
    onReset: () => seen.push('reset'),
  })
  await broadcast.position()
  return { broadcast, seen, reported }
}

/** The tests that every log for several machines must pass. */
export function broadcastLogContract(open: (t: TestContext) => Promise<SharedStore>): void {
  test('machines that publish at once see all events in one order, with the same ids', async (t) => {
    const store = await open(t)
    const machines = await Promise.all([machine(t, store), machine(t, store)])
    const numbers = Array.from({ length: 60 }, (_, at) => at)
    const ids = await Promise.all(
      numbers.map(async (at) => machines[at % 2]?.broadcast.publish('a', 'x', at)),
    )
    await waitFor('all events', () => machines.every(({ seen }) => seen.length === 60))
    assert.equal(new Set(ids).size, 60)
    assert.deepEqual(machines[0]?.seen, machines[1]?.seen)
    assert.deepEqual(
      machines[0]?.seen.toSorted(),
      numbers.map((at) => `${ids[at]} ${at}`).toSorted(),
    )
    // What one machine publishes keeps its order.
    const sent = machines[0]?.seen.map((text) => Number(text.split(' ')[1])) ?? []
    assert.deepEqual(
      sent.filter((at) => at % 2 === 0),
      numbers.filter((at) => at % 2 === 0),
    )
  })

  test('a machine that starts later replays what was published before', async (t) => {
    const store = await open(t)
    const first = await machine(t, store)
    const large = 'é'.repeat(20_000)
    const id = await first.broadcast.publish('a', 'x', 1)
    await first.broadcast.publish('a', 'x', large)
    await first.broadcast.publish('b', 'x', 3)
    await first.broadcast.publish('a', 'x', 4)
    const late = await machine(t, store)
    const replayed: unknown[] = []
    late.broadcast.channel('a').open(id, {
      begin: () => {},
      replay: (entries) => replayed.push(...entries.map(({ data }) => JSON.parse(data))),
      send: () => {},
      reset: () => replayed.push('reset'),
    })
    await waitFor('the replay', () => replayed.length > 0)
    assert.deepEqual(replayed, [large, 4])
  })

  test('broken connections lose nothing, and are reported at most once', async (t) => {
    const store = await open(t)
    const [reader, writer] = [await machine(t, store), await machine(t, store)]
    await writer.broadcast.publish('a', 'x', 1)
    await waitFor('the first', () => reader.seen.length === 1)
    await store.breakConnections()
    const publish = (number: number): Promise<boolean> =>
      writer.broadcast.publish('a', 'x', number).then(
        () => true,
        () => false,
      )
    await waitFor('the store', () => publish(2))
    await publish(3)
    await waitFor('the others', () => reader.seen.some((text) => text.endsWith(' 3')))
    const numbers = reader.seen.map((text) => Number(text.split(' ')[1]))
    // An event whose connection broke may have been published nevertheless.
    assert.deepEqual([...new Set(numbers)], [1, 2, 3])
    assert.equal(new Set(reader.seen).size, reader.seen.length)
    assert.ok(reader.reported.length <= 1, String(reader.reported))
  })

  test('a store that has lost its events resets everybody, and goes on', async (t) => {
    const store = await open(t)
    const reader = await machine(t, store)
    await reader.broadcast.publish('a', 'x', 1)
    await reader.broadcast.publish('a', 'x', 2)
    await waitFor('both', () => reader.seen.length === 2)
    await store.empty()
    await reader.broadcast.publish('a', 'x', 3)
    await waitFor('the reset', () => reader.seen.length >= 4)
    assert.deepEqual(
      reader.seen.map((text) => text.split(' ').at(-1)),
      ['1', '2', 'reset', '3'],
    )
  })

  test('closing does not wait for the next event', async (t) => {
    const store = await open(t)
    const { broadcast } = await machine(t, store)
    const startMs = performance.now()
    await broadcast.close()
    assert.ok(performance.now() - startMs < 60_000, 'the wait in the store is far longer')
  })
}
