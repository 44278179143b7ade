import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readScopes } from '../settings/scope.ts'
import { loadEnvironment } from '../settings/env-source.ts'
import { broadcastScope, broadcastFrom } from './broadcast-settings.ts'
import type { BroadcastValues } from './broadcast-settings.ts'

function valuesOf(env: Record<string, string>): BroadcastValues {
  const source = loadEnvironment({ root: import.meta.dirname, env })
  return readScopes({ broadcast: broadcastScope }, source).broadcast
}

test('by default events are kept in memory, within the configured limits', async () => {
  const broadcast = await broadcastFrom(valuesOf({ BROADCAST_EVENTS: '2' }))
  const id = await broadcast.publish('a', 'x', 1)
  for (const data of [2, 3, 4]) await broadcast.publish('a', 'x', data)
  const seen: string[] = []
  broadcast.channel('a').open(id, {
    begin: () => seen.push('begin'),
    replay: () => seen.push('replay'),
    send: () => seen.push('send'),
    reset: () => seen.push('reset'),
  })
  await broadcast.position()
  assert.deepEqual(seen, ['reset'], 'one of three missed events is not kept')
  await broadcast.close()
})

test('a driver without its store is refused with what to do', async () => {
  const expected = { code: 'E_BROADCAST', name: 'ConfigurationError' }
  await assert.rejects(broadcastFrom(valuesOf({ BROADCAST_DRIVER: 'database' })), expected)
  for (const redisUrl of [undefined, null, '']) {
    const values = valuesOf({ BROADCAST_DRIVER: 'redis' })
    const sources = redisUrl === undefined ? {} : { redisUrl }
    await assert.rejects(broadcastFrom(values, sources), expected)
  }
})
