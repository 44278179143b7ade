import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import type { DatabaseServer } from '../support/database-server.ts'
import { startMariadb } from '../support/mariadb-server.ts'
import { plantProject } from '../support/plant-project.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { sweepProject } from './sweep-project.ts'

type Answer = Awaited<ReturnType<typeof runCommand>>

function run(t: TestContext, cwd: string, line: string, env = {}): Promise<Answer> {
  return runCommand(t, line.split(' '), { cwd, env })
}

async function planted(t: TestContext, env = {}): Promise<string> {
  const cwd = plantProject(t, sweepProject)
  for (const line of ['migrate', 'seed']) {
    const { status, stderr } = await run(t, cwd, line, env)
    assert.deepEqual([status, stderr], [0, ''])
  }
  return cwd
}

const fileUrl = (cwd: string): string => `sqlite:${join(cwd, 'storage', 'database.sqlite')}`

async function rowsLeft(url: string): Promise<readonly number[]> {
  const database = await connect(url)
  try {
    const counts: number[] = []
    for (const table of ['tokens', 'trusts', 'sessions']) {
      const [row] = await database.rows(sql`SELECT COUNT(*) AS number FROM ${sql.name(table)}`)
      counts.push(Number(row?.['number']))
    }
    return counts
  } finally {
    await database.close()
  }
}

test('sweep deletes expired rows, prints how many of each, and closes the services', async (t) => {
  const cwd = await planted(t)
  const first = await run(t, cwd, 'sweep')
  assert.deepEqual([first.status, first.stderr], [0, ''])
  assert.equal(
    first.stdout,
    'name      dropped\nfolder    5\ntokens    3\ntrust     3\nsessions  3\n',
  )
  assert.deepEqual(await rowsLeft(fileUrl(cwd)), [1, 1, 0])
  assert.equal(readFileSync(join(cwd, 'closed'), 'utf8'), 'closed\n')
  const second = await run(t, cwd, 'sweep --json')
  assert.deepEqual(JSON.parse(second.stdout), [
    { name: 'folder', dropped: 5, error: null },
    { name: 'tokens', dropped: 0, error: null },
    { name: 'trust', dropped: 0, error: null },
    { name: 'sessions', dropped: 0, error: null },
  ])
})

test('a sweep that fails does not stop the others, and the status is 1', async (t) => {
  const cwd = await planted(t)
  const database = await connect(fileUrl(cwd))
  await database.run(sql`DROP TABLE tokens`)
  await database.close()
  const { status, stdout, stderr } = await run(t, cwd, 'sweep --json', { FOLDER: 'broken' })
  assert.equal(status, 1)
  // Only JSON on the standard output, although the failures are logged.
  assert.deepEqual(JSON.parse(stdout), [
    { name: 'folder', dropped: null, error: 'TypeError' },
    { name: 'tokens', dropped: null, error: 'E_STATEMENT' },
    { name: 'trust', dropped: 3, error: null },
    { name: 'sessions', dropped: 3, error: null },
  ])
  assert.match(stderr, /^error folder: cannot read https:\/\/\S*files\/\S* \[TypeError\]$/m)
  assert.match(stderr, /^error tokens: .* \[E_STATEMENT\]$/m)
  assert.match(stderr, /"channel":"exceptions".*"sweep":"folder"/)
  const log = readFileSync(join(cwd, 'storage', 'logs', 'exceptions.log'), 'utf8')
  assert.equal(log.trim().split('\n').length, 2)
  const told = stdout + stderr + log
  assert.ok(!told.includes('hunter2') && !told.includes('\x1b'))
  const table = await run(t, cwd, 'sweep')
  assert.equal(table.status, 1)
  assert.match(table.stdout, /^tokens +failed$/m)
})

test('it can run beside a server, whose visitors stay signed in', async (t) => {
  const cwd = await planted(t, { EXPIRED: '1200' })
  const server = new RunningCommand(t, ['serve', '--port', '0'], {
    cwd,
    env: { LOG_LEVEL: 'silent' },
  })
  const url = await server.url()
  const visit = await fetch(`${url}/visit`)
  const [cookie = ''] = visit.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const sweeping = new RunningCommand(t, ['sweep'], { cwd })
  for (let asked = 0; asked < 10 || sweeping.child.exitCode === null; asked += 1) {
    const who = await fetch(`${url}/who`, { headers: { cookie } })
    assert.deepEqual([who.status, await who.text()], [200, 'Ada'])
  }
  assert.deepEqual([await sweeping.end(), sweeping.stderr], [0, ''])
  assert.deepEqual(await rowsLeft(fileUrl(cwd)), [1, 1, 1])
  assert.equal(await server.stop(), 0)
})

test('a project without sweeps says so, and one with invalid sweeps does not start', async (t) => {
  const bare = `import { defineProject } from 'framework'
    export default defineProject({ name: 'shop', routes: [], sweeps: () => (SWEEPS) })`
  const empty = plantProject(t, { 'project.ts': bare.replace('SWEEPS', '{}') })
  const nothing = await run(t, empty, 'sweep')
  assert.equal(nothing.status, 0)
  assert.match(nothing.stdout, /^there is nothing to sweep: .*"sweeps" in defineProject\(\)\n$/)
  assert.equal((await run(t, empty, 'sweep --json')).stdout, '[]\n')
  const wrong = plantProject(t, { 'project.ts': bare.replace('SWEEPS', '{ tokens: 7 }') })
  for (const line of ['sweep', 'serve --port 0']) {
    const { status, stderr } = await run(t, wrong, line)
    assert.equal(status, 1, line)
    assert.match(
      stderr,
      /^error defineProject: "sweeps" returns "tokens", which has no sweep\(\) method .*\[E_PROJECT\]/m,
    )
  }
  assert.equal((await run(t, empty, 'sweep --often')).status, 2)
  assert.match((await run(t, empty, 'help sweep')).stdout, /delete what has expired/)
})

const databases: Readonly<Record<string, (() => Promise<DatabaseServer>) | null>> = {
  SQLite: null,
  PostgreSQL: startPostgres,
  MariaDB: startMariadb,
}

for (const [name, start] of Object.entries(databases)) {
  const starting = start?.().catch((error: unknown) => String(error))
  after(async () => {
    const server = await starting
    if (typeof server === 'object') await server.stop()
  })

  test(`three processes sweep ${name} concurrently: each row is deleted and counted once`, async (t) => {
    const server = await starting
    if (typeof server === 'string') return t.skip(server)
    const own = server === undefined ? {} : { DATABASE_URL: await server.createDatabase() }
    const env = { EXPIRED: '1200', ...own }
    const cwd = await planted(t, env)
    const runs = await Promise.all([0, 1, 2].map(() => run(t, cwd, 'sweep --json', env)))
    for (const { status, stderr } of runs) assert.deepEqual([status, stderr], [0, ''])
    const dropped = new Map<string, number>()
    for (const { stdout } of runs) {
      for (const row of JSON.parse(stdout)) {
        dropped.set(row.name, (dropped.get(row.name) ?? 0) + row.dropped)
      }
    }
    assert.deepEqual(
      ['tokens', 'trust', 'sessions'].map((entry) => dropped.get(entry)),
      [1200, 1200, 1200],
    )
    const url = 'DATABASE_URL' in own ? own.DATABASE_URL : fileUrl(cwd)
    assert.deepEqual(await rowsLeft(url), [1, 1, 0])
  })
}
