import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { createBroadcastsTable } from '../../src/broadcast/sql-log.ts'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { EventClient } from '../support/event-client.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { startOwnRedis } from '../support/redis-server.ts'
import type { RedisServer } from '../support/redis-server.ts'
import { startServer } from '../support/start-server.ts'
import { onDatabase } from '../support/test-databases.ts'
import { waitFor } from '../support/wait-for.ts'
import type { LiveServerOptions } from './live-server.ts'

const script = new URL('live-server.ts', import.meta.url).pathname
const redis = await startOwnRedis().catch((error: Error) => error)

/** Two servers with one store; events from both reach clients of both, and a client may change. */
async function twoMachines(
  t: TestContext,
  options: LiveServerOptions,
  outage: (() => Promise<void>) | null,
): Promise<void> {
  const servers = await Promise.all([
    startServer(t, script, options),
    startServer(t, script, options),
  ])
  const [one = '', other = ''] = servers.map(({ port }) => `http://127.0.0.1:${port}`)
  const publish = async (base: string, number: number): Promise<void> => {
    const publishOnce = async (): Promise<boolean> =>
      (await fetch(`${base}/publish/${number}`, { method: 'POST' })).ok
    await waitFor(`event ${number} to be published`, publishOnce)
  }
  const numbers = ({ events }: EventClient): unknown[] => events.map(({ data }) => data)
  const clients = [new EventClient(`${one}/events`), new EventClient(`${other}/events`)]
  t.after(() => clients.forEach((client) => client.close()))
  await waitFor('both', () => clients.every(({ isReady }) => isReady))
  for (const number of [0, 1, 2, 3]) await publish(number % 2 === 0 ? one : other, number)
  await waitFor('four events', () => clients.every(({ events }) => events.length === 4))
  const [moved, stays] = clients
  moved?.close()
  await publish(one, 4)
  await outage?.()
  await publish(other, 5)
  const { lastId = '' } = moved ?? {}
  const again = new EventClient(`${other}/events`, { lastId })
  t.after(() => again.close())
  await publish(one, 6)
  await waitFor('the rest', () => again.events.length === 3 && stays?.events.length === 7)
  assert.deepEqual(numbers(again), [4, 5, 6])
  assert.ok(stays !== undefined)
  assert.deepEqual(numbers(stays), [0, 1, 2, 3, 4, 5, 6])
  const ids = new Map(stays.events.map(({ id, data }) => [data, id]))
  for (const { id, data } of again.events) assert.equal(id, ids.get(data), 'the same id everywhere')
}

describe('Redis', { skip: redis instanceof Error && redis.message }, () => {
  test('two servers share events, through a restart of Redis', async (t) => {
    const server: RedisServer = redis instanceof Error ? assert.fail() : redis
    t.after(() => server.stop())
    await twoMachines(t, { redis: withLongTimeouts(server.url) }, async () => {
      await server.kill()
      await server.restart()
    })
  })
})

onDatabase('postgres', (_name, _open, create) => {
  test('two servers share events', async (t) => {
    const database = withLongTimeouts(await create())
    const admin = await connect(database)
    await admin.transaction((transaction) => createBroadcastsTable(new Schema(transaction)))
    await admin.close()
    await twoMachines(t, { database }, null)
  })
})
