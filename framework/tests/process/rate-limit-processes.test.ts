import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { createRateLimitsTable } from '../../src/http/rate-limits/sql-rate-limits.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { startOwnRedis } from '../support/redis-server.ts'

/** Resolves with the URL of unused counters. */
type Arrange = (t: TestContext) => Promise<string>

const onSqlite: Arrange = async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'rate-limit-'))
  t.after(() => rm(folder, { recursive: true }))
  const url = `sqlite:${join(folder, 'a.db')}?busy_timeout=60`
  const database = await connect(url)
  await createRateLimitsTable(new Schema(database))
  await database.close()
  return url
}

const onRedis: Arrange = async (t) => {
  const server = await startOwnRedis()
  t.after(() => server.stop())
  return withLongTimeouts(server.url)
}

/** A process whose server is ready. */
interface Asker {
  readonly line: () => Promise<string>
  /** Sends its requests. */
  readonly go: () => void
}

function startAsker(t: TestContext, url: string, algorithm: string): Asker {
  const file = join(import.meta.dirname, 'rate-limit-child.ts')
  const child = spawn(process.execPath, ['--conditions=source', file, url, algorithm], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    line: async () => String((await lines.next()).value),
    go: () => void child.stdin.end('go\n'),
  }
}

for (const [name, arrange] of [
  ['SQLite', onSqlite],
  ['Redis', onRedis],
] as const) {
  for (const algorithm of ['fixed', 'sliding']) {
    test(`of 8 processes with 100 requests each on ${name}, a ${algorithm} limit of 100 allows exactly 100`, async (t) => {
      const url = await arrange(t).catch((error: Error) => error)
      if (url instanceof Error) return t.skip(url.message)
      const askers = Array.from({ length: 8 }, () => startAsker(t, url, algorithm))
      for (const asker of askers) assert.equal(await asker.line(), 'ready')
      for (const asker of askers) asker.go()
      const told = await Promise.all(askers.map((asker) => asker.line()))
      const statuses = told.flatMap((line): unknown[] => JSON.parse(line))
      assert.equal(statuses.length, 800)
      assert.equal(statuses.filter((status) => status === 200).length, 100)
      assert.equal(statuses.filter((status) => status === 429).length, 700)
    })
  }
}
