import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { createRateLimitsTable } from '../../src/http/rate-limits/sql-rate-limits.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { launch, startServer } from '../support/start-server.ts'

const script = join(import.meta.dirname, 'rate-limit-server.ts')

test('the workers of a fleet share one counter', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'rate-limit-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const url = withLongTimeouts(`sqlite:${join(folder, 'a.db')}`)
  const database = await connect(url)
  await createRateLimitsTable(new Schema(database))
  await database.close()
  const { port } = await startServer(t, script, { database: url, workers: 2 })
  const pids = new Set<string | null>()
  const statuses: number[] = []
  // Each on its own connection, so that they reach all workers; the system decides which one.
  const ask = async (): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })
    await answer.body?.cancel()
    statuses.push(answer.status)
    pids.add(answer.headers.get('x-worker'))
  }
  await Promise.all(Array.from({ length: 60 }, ask))
  for (let more = 0; pids.size < 2 && more < 500; more += 1) await ask()
  assert.equal(pids.size, 2, 'both workers have answered')
  assert.equal(statuses.filter((status) => status === 200).length, 20)
  assert.equal(statuses.filter((status) => status === 429).length, statuses.length - 20)
})

test('a fleet whose rate limits have no store does not start, and says why', async (t) => {
  const server = launch(t, script, { workers: 2 })
  assert.equal(await server.ended, 1)
  assert.match(server.errors(), /a rate limit has no store, and 2 workers/)
})
