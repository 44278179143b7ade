import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../database/connect.ts'
import { queueScope, queueStoreFrom } from './queue-settings.ts'
import { readScopes } from '../settings/scope.ts'
import type { QueueValues } from './queue-settings.ts'
import { SqlJobs } from './sql-jobs.ts'

function values(texts: Readonly<Record<string, string>> = {}): QueueValues {
  const lookup = (name: string): { text: string; origin: string } | null => {
    const text = texts[name]
    return text === undefined ? null : { text, origin: '.env' }
  }
  return readScopes({ queue: queueScope }, { environment: 'test', lookup }).queue
}

test('the settings of queues have the defaults of the decisions', () => {
  assert.deepEqual(values(), {
    driver: 'database',
    attempts: 3,
    backoff: 10,
    visibility: 60,
    timeout: 900,
  })
  const given = { QUEUE_ATTEMPTS: '5', QUEUE_BACKOFF: '0.5', QUEUE_VISIBILITY: '30' }
  const { attempts, backoff, visibility } = values(given)
  assert.deepEqual([attempts, backoff, visibility], [5, 0.5, 30])
  for (const wrong of [
    { QUEUE_ATTEMPTS: '0' },
    { QUEUE_DRIVER: 'kafka' },
    { QUEUE_VISIBILITY: '0' },
  ]) {
    assert.throws(() => values(wrong), { code: 'E_CONFIG_INVALID' })
  }
})

test('jobs are stored in the database unless Redis is selected and configured', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  assert.ok((await queueStoreFrom(values(), { database })) instanceof SqlJobs)
  const redis = values({ QUEUE_DRIVER: 'redis' })
  for (const redisUrl of [undefined, null, '']) {
    const place = redisUrl === undefined ? { database } : { database, redisUrl }
    await assert.rejects(queueStoreFrom(redis, place), {
      code: 'E_QUEUE',
      message: /^QUEUE_DRIVER is redis but REDIS_URL is not set; /,
    })
  }
  await assert.rejects(queueStoreFrom(redis, { database, redisUrl: 'redis://127.0.0.1:1' }), {
    code: 'E_REDIS_LOST',
  })
})
