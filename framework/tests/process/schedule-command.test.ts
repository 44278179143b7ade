import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'
import { waitFor } from '../support/wait-for.ts'

const files = {
  'migrations/20260101000000_create_schedule_table.ts': `import { createScheduleTable } from 'framework/schedule'
    import type { Schema } from 'framework/database'
    export const up = (schema: Schema) => createScheduleTable(schema)
    export const down = (schema: Schema) => schema.dropTable('schedule_tasks')`,
  'project.ts': `import { appendFileSync, existsSync } from 'node:fs'
    import { join } from 'node:path'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { databaseScope, databaseUrlIn, defineProject } from 'framework'
    import type { Boot } from 'framework'
    import { connect } from 'framework/database'
    import { ObservabilityRoutes } from 'framework/http'
    import { SqlSchedule, task } from 'framework/schedule'
    const configs = { database: databaseScope }
    const services = async ({ root, configs: { database } }: Boot<typeof configs>) => ({
      database: await connect(databaseUrlIn(root, database.url)),
      note: (text: string) => appendFileSync(join(root, 'notes'), text + '\\n'),
      has: (name: string) => existsSync(join(root, name)),
    })
    type Services = Awaited<ReturnType<typeof services>>
    const tick = task('tick', { cron: '* * * * * *', overlap: 'allow' }).run<Services>(
      ({ services, due }) => services.note('tick ' + due.getTime() + ' ' + process.pid),
    )
    const broken = task('broken', { cron: '0 0 1 1 *' }).run<Services>(() => {
      throw new TypeError('hunter22')
    })
    const slow = task('slow', { cron: '0 0 1 1 *' }).run<Services>(async ({ services, signal }) => {
      services.note('slow begins')
      while (!services.has('go') && !signal.aborted) await sleep(10)
      services.note('slow ends')
    })
    export default defineProject({
      name: 'shop',
      configs,
      services,
      routes: [ObservabilityRoutes],
      schedule: {
        tasks: [tick, broken, slow],
        store: ({ database }) => new SqlSchedule(database),
        lease: Number(process.env['LEASE'] ?? 60),
      },
    })`,
}

function run(t: TestContext, cwd: string, line: string, env = {}): ReturnType<typeof runCommand> {
  return runCommand(t, line.split(' '), { cwd, env })
}

async function planted(t: TestContext): Promise<string> {
  const cwd = plantProject(t, files)
  const { status, stderr } = await run(t, cwd, 'migrate')
  assert.deepEqual([status, stderr], [0, ''])
  return cwd
}

function notes(cwd: string): readonly string[] {
  const file = join(cwd, 'notes')
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

/** Due times of `tick` and the processes that ran them. */
function ticks(cwd: string): readonly (readonly [number, number])[] {
  return notes(cwd)
    .map((line) => line.split(' '))
    .filter(([task]) => task === 'tick')
    .map(([, due, pid]) => [Number(due), Number(pid)])
}

test('a task can be run by hand, and the list tells when and how it ended', async (t) => {
  const cwd = await planted(t)
  const before = await run(t, cwd, 'schedule list')
  assert.deepEqual([before.status, before.stderr], [0, ''])
  assert.match(
    before.stdout,
    /^broken +0 0 1 1 \* UTC +20\d\d-01-01 00:00:00 UTC +never +0 +0 +0 +0$/m,
  )
  writeFileSync(join(cwd, 'go'), '')
  const slow = await run(t, cwd, 'schedule run slow')
  assert.equal(slow.status, 0)
  assert.match(slow.stdout, /^slow: done after \d+ ms$/m)
  assert.deepEqual(notes(cwd), ['slow begins', 'slow ends'])
  const broken = await run(t, cwd, 'schedule run broken')
  assert.equal(broken.status, 1)
  assert.match(broken.stdout, /^broken: failed after \d+ ms$/m)
  // The error is reported once, with the task it belongs to.
  assert.match(broken.stdout, /"channel":"exceptions".*"task":"broken"/)
  const { stdout } = await run(t, cwd, 'schedule list --json')
  const rows = new Map(JSON.parse(stdout).map((row: { task: string }) => [row.task, row]))
  const told = (task: string): unknown => {
    const { outcome, reason, runs, failures } = Object(rows.get(task))
    return { outcome, reason, runs, failures }
  }
  assert.deepEqual(told('slow'), { outcome: 'done', reason: null, runs: 1, failures: 0 })
  assert.deepEqual(told('broken'), { outcome: 'failed', reason: 'TypeError', runs: 1, failures: 1 })
  assert.ok(!stdout.includes('hunter22'))
})

test('unknown tasks and projects without a schedule are errors', async (t) => {
  const cwd = await planted(t)
  const bare = plantProject(t, {
    'project.ts': `import { defineProject } from 'framework'
      export default defineProject({ name: 'shop', routes: [] })`,
  })
  const [unknown, none, wrong] = await Promise.all([
    run(t, cwd, 'schedule run slwo'),
    run(t, bare, 'schedule list'),
    run(t, cwd, 'schedule run --twice'),
  ])
  assert.equal(unknown.status, 1)
  assert.match(unknown.stderr, /no task "slwo".*tick, broken, slow.*\[E_SCHEDULE\]/)
  assert.equal(none.status, 1)
  assert.match(none.stderr, /no "schedule" in defineProject\(\).*\[E_SCHEDULE\]/)
  assert.equal(wrong.status, 2)
})

test('--once runs what is due and ends', async (t) => {
  const cwd = await planted(t)
  // The first look only remembers the tasks.
  assert.equal((await run(t, cwd, 'schedule run --once')).status, 0)
  const before = ticks(cwd).length
  await waitFor('a due time', async () => {
    const { status } = await run(t, cwd, 'schedule run --once')
    assert.equal(status, 0)
    return ticks(cwd).length > before
  })
  const due = ticks(cwd).map(([time]) => time)
  assert.equal(new Set(due).size, due.length)
})

test('a signal lets running tasks finish; a second process runs nothing twice', async (t) => {
  const cwd = await planted(t)
  const first = new RunningCommand(t, ['schedule', 'run'], { cwd })
  const second = new RunningCommand(t, ['schedule', 'run'], { cwd })
  await Promise.all([first, second].map((one) => one.said(/3 tasks on the schedule/)))
  await waitFor('some runs', () => ticks(cwd).length >= 3)
  assert.deepEqual([await first.stop(), await second.stop()], [0, 0])
  const due = ticks(cwd).map(([time]) => time)
  assert.equal(new Set(due).size, due.length)

  const slow = new RunningCommand(t, ['schedule', 'run', 'slow'], { cwd })
  await waitFor('a slow run', () => notes(cwd).includes('slow begins'))
  slow.child.kill('SIGTERM')
  const busy = await run(t, cwd, 'schedule run slow')
  assert.deepEqual([busy.status, busy.stdout], [1, 'slow is running already\n'])
  writeFileSync(join(cwd, 'go'), '')
  assert.equal(await slow.end(), 0)
  assert.equal(notes(cwd).at(-1), 'slow ends')
})

test('with SCHEDULE=1 the first worker of a server runs the tasks, and drains them', async (t) => {
  const cwd = await planted(t)
  const env = {
    SCHEDULE: '1',
    WORKERS: '2',
    LOG_LEVEL: 'warn',
    FRAMEWORK_OBSERVABILITY_INTERVAL: '0.1',
  }
  const server = new RunningCommand(t, ['serve', '--port', '0'], { cwd, env })
  const url = await server.url()
  await waitFor('some runs', () => ticks(cwd).length >= 3)
  const pids = new Set(ticks(cwd).map(([, pid]) => pid))
  assert.equal(pids.size, 1, 'one worker')
  assert.ok(!pids.has(server.child.pid ?? 0), 'not the primary')
  const metrics = await waitFor('counted runs', async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return /schedule_runs_total\{outcome="done",task="tick"\} [1-9]/.test(text) ? text : undefined
  })
  assert.match(metrics, /schedule_runs_total\{outcome="failed",task="broken"\} 0/)
  // A worker that dies is replaced, and the schedule goes on.
  const [pid = 0] = pids
  process.kill(pid, 'SIGKILL')
  await waitFor('runs of the next worker', () => ticks(cwd).some(([, other]) => other !== pid))
  assert.equal(await server.stop(), 0)
  const due = ticks(cwd).map(([time]) => time)
  assert.equal(new Set(due).size, due.length)
})

test('a task whose process is killed can run again when its lease is over', async (t) => {
  const cwd = await planted(t)
  const env = { LEASE: '2' }
  const slow = new RunningCommand(t, ['schedule', 'run', 'slow'], { cwd, env })
  await waitFor('a slow run', () => notes(cwd).includes('slow begins'))
  slow.child.kill('SIGKILL')
  await slow.end()
  writeFileSync(join(cwd, 'go'), '')
  await waitFor('the end of the lease', async () => {
    const { status } = await run(t, cwd, 'schedule run slow', env)
    return status === 0
  })
  const { stdout } = await run(t, cwd, 'schedule list --json', env)
  const row = JSON.parse(stdout).find(({ task }: { task: string }) => task === 'slow')
  assert.deepEqual([row.outcome, row.runs, row.failures], ['done', 1, 1])
})
