import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Surface } from '../../src/database/surface.ts'
import { connect } from '../../src/database/connect.ts'
import { SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { createTables, CredentialsOffice, ended } from '../databases/credentials-office.ts'

/** A process that resets and changes a password on command. */
interface Rival {
  /** Resolves with the next line it writes. */
  readonly line: () => Promise<string>
  readonly go: () => void
}

const names = ['a', 'b', 'c', 'd', 'e']

function startRival(t: TestContext, ...parameters: readonly string[]): Rival {
  const file = join(import.meta.dirname, 'credentials-races-child.ts')
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

test('processes that reset and change one password leave one password and nothing of the old one', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'credentials-races-'))
  const url = `sqlite:${join(folder, 'a.db')}?busy_timeout=60`
  const database = await connect(url)
  t.after(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  await createTables(database)
  const sessions = (surface: Surface): SqlSessions => new SqlSessions(surface)
  const office = new CredentialsOffice(database, sessions, new SqlSessions(database))
  // Minted with the real clock, which the children use.
  const ada = await office.person('ada@x.org')
  const token = ada.recovery
  await database.run({ sql: 'UPDATE tokens SET expires = expires + 1000000000', parameters: [] })
  const rivals = names.map((name) => startRival(t, url, ada.id, token, name))
  const together = async (): Promise<readonly string[]> => {
    for (const rival of rivals) rival.go()
    return Promise.all(rivals.map((rival) => rival.line()))
  }
  for (const rival of rivals) assert.equal(await rival.line(), 'ready')

  const resets = await together()
  const winners = names.filter((_, at) => resets[at] !== 'null')
  assert.equal(winners.length, 1)
  assert.equal(resets.filter((line) => line === JSON.stringify(ada.id)).length, 1)
  assert.equal(await office.users.check(ada.id, `reset by ${winners[0]}`), true)
  assert.deepEqual(await office.state(ada), { ...ended, verified: true })

  const before = await office.users.verify(ada.email, `reset by ${winners[0]}`)
  await office.session(ada.id)
  await office.trust.issue(ada.id)
  assert.deepEqual([...new Set(await together())], ['true'])
  const checks = await Promise.all(
    names.map((name) => office.users.check(ada.id, `changed by ${name}`)),
  )
  assert.equal(checks.filter(Boolean).length, 1)
  assert.deepEqual(await office.state(ada), { ...ended, verified: true })
  assert.equal(before !== null && (await office.users.isUnchanged(before)), false)
})
