import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import type { DatabaseServer } from '../support/database-server.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { startMariadb } from '../support/mariadb-server.ts'
import { plantProject } from '../support/plant-project.ts'
import { startPostgres } from '../support/postgres-server.ts'

const processes = 4

// Each leaves a mark, so that a second run is noticed even if the table would allow it.
const migration = (name: string): string => `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { sql } from 'framework/database'
  export async function up(schema) {
    await schema.run(sql\`INSERT INTO marks (name) VALUES (\${'${name}'})\`)
    await sleep(250)
    await schema.createTable('${name}', (table) => { table.key() })
  }`

const names = ['one', 'two', 'three']
const files = {
  'migrations/20260100000000_marks.ts': `
    export const up = (schema) =>
      schema.createTable('marks', (table) => { table.text('name', { length: 20 }) })`,
  ...Object.fromEntries(
    names.map((name, at) => [`migrations/2026010${at + 1}000000_${name}.ts`, migration(name)]),
  ),
}

const interrupted = `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { sql } from 'framework/database'
  export async function up(schema) {
    await schema.run(sql\`SELECT 1\`)
    if (process.env.STOP_HERE === 'yes') {
      process.stdout.write('half way')
      await sleep(60_000)
    }
    await schema.createTable('one', (table) => { table.key() })
  }`

const slow = `
  const waits = { sqlite: 'SELECT 1', postgres: 'SELECT pg_sleep(0.8)', mariadb: 'SELECT SLEEP(0.8)' }
  export const up = (schema) => schema.run({ sql: waits[schema.dialect.name], parameters: [] })`

async function migrateAtOnce(t: TestContext, cwd: string, url: string): Promise<void> {
  const runs = await Promise.all(
    Array.from({ length: processes }, () =>
      runCommand(t, ['migrate'], { cwd, env: { DATABASE_URL: url } }),
    ),
  )
  for (const { status, stderr } of runs) assert.deepEqual([status, stderr], [0, ''])
  const applied = runs.map(({ stdout }) => String(stdout.match(/ applied /g)?.length ?? 0))
  assert.deepEqual(applied.toSorted(), ['0', '0', '0', '4'], 'one does all, the others wait')
  const database = await connect(withLongTimeouts(url.replace(/\?.*/, '')))
  t.after(() => database.close())
  const marks = await database.rows(sql`SELECT name FROM marks`)
  assert.deepEqual(marks.map(({ name }) => String(name)).toSorted(), names.toSorted())
  const batches = await database.rows(sql`SELECT DISTINCT batch FROM migrations`)
  assert.deepEqual(
    batches.map(({ batch }) => Number(batch)),
    [1],
  )
}

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

  /** The URL of a new database, or why there is none. */
  const create = async (cwd: string): Promise<{ url: string } | { missing: string }> => {
    const server = await starting
    if (server === undefined) return { url: `sqlite:${cwd}/storage/test.sqlite?busy_timeout=0.05` }
    if (typeof server === 'string') return { missing: server }
    return { url: `${await server.createDatabase()}?statement_timeout=0.5` }
  }

  test(`four processes migrate ${name} concurrently: each migration runs once`, async (t) => {
    const cwd = plantProject(t, files)
    const database = await create(cwd)
    if ('missing' in database) return t.skip(database.missing)
    await migrateAtOnce(t, cwd, database.url)
  })

  test(`a process killed while it migrates ${name} leaves nothing behind`, async (t) => {
    const cwd = plantProject(t, { 'migrations/20260101000000_one.ts': interrupted })
    const database = await create(cwd)
    if ('missing' in database) return t.skip(database.missing)
    const env = { DATABASE_URL: database.url }
    const first = new RunningCommand(t, ['migrate'], { cwd, env: { ...env, STOP_HERE: 'yes' } })
    await first.said(/half way/)
    first.child.kill('SIGKILL')
    await first.end()
    const second = await runCommand(t, ['migrate'], { cwd, env })
    assert.deepEqual([second.status, second.stderr], [0, ''])
    assert.match(second.stdout, /_one +applied/)
  })

  test(`the command allows ${name} more time than the URL allows requests`, async (t) => {
    const cwd = plantProject(t, { 'migrations/20260101000000_slow.ts': slow })
    const database = await create(cwd)
    if ('missing' in database) return t.skip(database.missing)
    const env = { DATABASE_URL: database.url }
    const { status, stderr } = await runCommand(t, ['migrate'], { cwd, env })
    assert.deepEqual([status, stderr], [0, ''])
  })
}
