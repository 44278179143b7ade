import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { createScheduleTable } from '../../src/schedule/sql-schedule.ts'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import type { DatabaseServer } from '../support/database-server.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { startMariadb } from '../support/mariadb-server.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { waitFor } from '../support/wait-for.ts'

// SCHEDULE_TEST_TIMES=1000 npm test -- schedule-machines --silence 300
const times = Number(process.env['SCHEDULE_TEST_TIMES'] ?? 60)
const timeout = 120_000 + times * 200
/** How much faster the clocks of the machines are: a minute takes 30 ms. */
const speed = 2_000
const minuteMs = 60_000
const program = join(import.meta.dirname, 'schedule-machine-child.ts')

/** The due times that were run, and by whom. */
function runsIn(file: string): readonly { readonly dueMs: number; readonly pid: number }[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => line.split(' ').map(Number))
    .map(([dueMs = 0, pid = 0]) => ({ dueMs, pid }))
}

async function startMachine(t: TestContext, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--conditions=source', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

async function runMachines(t: TestContext, given: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'schedule-machines-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'runs')
  writeFileSync(file, '')
  const url = withLongTimeouts(given)
  const database = await connect(url)
  t.after(() => database.close())
  await database.transaction((transaction) => createScheduleTable(new Schema(transaction)))
  const args = [url, file, String(Date.now()), String(speed)]
  const machines = await Promise.all([startMachine(t, args), startMachine(t, args)])
  const areDone = (): boolean => {
    const runs = runsIn(file)
    return runs.length >= times && new Set(runs.map(({ pid }) => pid)).size === machines.length
  }
  await waitFor(`${times} runs, some by each machine`, areDone, timeout / 1_000)
  for (const machine of machines) machine.kill('SIGTERM')
  for (const machine of machines) {
    if (machine.exitCode === null) assert.deepEqual(await once(machine, 'exit'), [0, null])
  }
  const runs = runsIn(file)
  const due = runs.map(({ dueMs }) => dueMs).toSorted((a, b) => a - b)
  const [first = 0] = due
  assert.equal(first % minuteMs, 0)
  // Each minute once: none is missing, and none is there twice.
  assert.deepEqual(
    due,
    runs.map((_, at) => first + at * minuteMs),
  )
  const shares = Map.groupBy(runs, ({ pid }) => pid)
  const numbers = [...shares.values()].map(({ length }) => length)
  t.diagnostic(`${runs.length} due times, run by two processes: ${numbers.join(' and ')}`)
}

const promise = 'run each due time of a task once'

describe('two machines', { concurrency: 2, timeout: 2 * timeout }, () => {
  test(`two processes on SQLite ${promise}`, { timeout }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'schedule-sqlite-'))
    t.after(() => rmSync(folder, { recursive: true }))
    await runMachines(t, `sqlite:${join(folder, 'schedule.sqlite')}`)
  })

  const starts: Readonly<Record<string, () => Promise<DatabaseServer>>> = {
    PostgreSQL: startPostgres,
    MariaDB: startMariadb,
  }
  for (const [name, start] of Object.entries(starts)) {
    test(`two processes on ${name} ${promise}`, { timeout }, async (t) => {
      const server = await start().catch((error: Error) => error.message)
      if (typeof server === 'string') return t.skip(server)
      t.after(() => server.stop())
      await runMachines(t, await server.createDatabase())
    })
  }
})
