import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { createSessionsTable, SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { SessionSite } from '../conformance/session-visitor.ts'
import { waitFor } from '../support/wait-for.ts'

const rounds = 40

/** A process that writes to the session of the cookie. */
interface Writer {
  /** Resolves with the next line it writes. */
  readonly line: () => Promise<string>
  /** Lets it continue. */
  readonly go: () => void
}

function startWriter(t: TestContext, ...parameters: readonly string[]): Writer {
  const file = join(import.meta.dirname, 'session-writer-child.ts')
  const child = spawn(process.execPath, ['--conditions=source', file, ...parameters], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    line: async () => String((await lines.next()).value),
    go: () => void child.stdin.write('go\n'),
  }
}

async function opened(t: TestContext): Promise<{ url: string; database: Database }> {
  const folder = await mkdtemp(join(tmpdir(), 'session-writers-'))
  const url = `sqlite:${join(folder, 'a.db')}?busy_timeout=60`
  const database = await connect(url)
  t.after(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  await database.transaction((transaction) => createSessionsTable(new Schema(transaction)))
  return { url, database }
}

async function revision(database: Database): Promise<number> {
  const [row] = await database.rows(sql`SELECT revision FROM sessions`)
  return Number(row?.['revision'])
}

test('four processes that write to one session lose nothing and never resurrect it', async (t) => {
  const { url, database } = await opened(t)
  const site = new SessionSite(new SqlSessions(database))
  const ada = site.visitor()
  await ada.sets('identity', '7')
  const names = ['a', 'b', 'c', 'd']
  const writers = names.map((name) => startWriter(t, url, ada.cookie, name, String(rounds)))
  const together = async (answer: string): Promise<void> => {
    for (const writer of writers) writer.go()
    for (const writer of writers) assert.equal(await writer.line(), answer)
  }
  for (const writer of writers) assert.equal(await writer.line(), 'ready')
  await together('wrote')
  const keys = names.flatMap((name) =>
    Array.from({ length: rounds }, (_, at) => `${name} ${at + 1}`),
  )
  const { outcome } = await ada.does((session) => Promise.all(keys.map((key) => session.has(key))))
  assert.deepEqual(outcome, Array(names.length * rounds).fill(true))

  const before = await revision(database)
  await together('began')
  const isMoving = async (): Promise<boolean> => (await revision(database)) > before + 20
  await waitFor('writes of the second part', isMoving)
  assert.equal(await site.sessions.revoke('7'), 1)
  const reports = await Promise.all(writers.map((writer) => writer.line()))
  for (const report of reports) {
    const { seen, sent } = JSON.parse(report)
    assert.deepEqual(seen, ['7', null], 'signed in, then for good a guest')
    assert.ok(!sent.some((line: string) => line.startsWith(ada.cookie)))
  }
  assert.deepEqual(await site.sessions.list('7'), [])
  assert.equal(await ada.sees('identity'), null)
  const owned = await database.rows(sql`SELECT id FROM sessions WHERE identity IS NOT NULL`)
  assert.deepEqual(owned, [])
})
