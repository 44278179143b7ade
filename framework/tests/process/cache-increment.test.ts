import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createCacheTable } from '../../src/cache/sql-cache.ts'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { startRedis } from '../support/redis-server.ts'

const processes = 4
const steps = 200
const folder = mkdtempSync(join(tmpdir(), 'framework-cache-'))
const redis = await startRedis().catch((error: Error) => error)
after(async () => {
  rmSync(folder, { recursive: true })
  if (!(redis instanceof Error)) await redis.stop()
})

async function countTogether(url: string): Promise<number[]> {
  const child = join(import.meta.dirname, 'cache-increment-child.ts')
  const runs = Array.from({ length: processes }, () =>
    promisify(execFile)(process.execPath, [child, url, String(steps)], { timeout: 280_000 }),
  )
  const seen = await Promise.all(runs)
  return seen.flatMap(({ stdout }): number[] => JSON.parse(stdout))
}

/** Every result occurs once: no increment was lost, and the first was made once. */
const everySum = Array.from({ length: processes * steps }, (_, index) => index + 1)

test('processes that increment one number in SQLite see every result once', async () => {
  const url = `sqlite:${join(folder, 'a.sqlite')}?busy_timeout=240`
  const database = await connect(url)
  await database.transaction((transaction) => createCacheTable(new Schema(transaction)))
  await database.close()
  const sums = await countTogether(url)
  assert.deepEqual(
    sums.toSorted((one, other) => one - other),
    everySum,
  )
})

const missing = redis instanceof Error && redis.message

test(
  'processes that increment one number in Redis see every result once',
  { skip: missing },
  async () => {
    if (redis instanceof Error) throw redis
    const sums = await countTogether(
      withLongTimeouts(`${redis.url}?prefix=increment-${process.pid}:`),
    )
    assert.deepEqual(
      sums.toSorted((one, other) => one - other),
      everySum,
    )
  },
)
