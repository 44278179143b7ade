import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ScheduleBench } from '../../tests/support/schedule-bench.ts'
import { waitFor } from '../../tests/support/wait-for.ts'
import { shiftClock } from '../base/time/epoch-seconds.ts'
import { Channel } from '../logs/channel.ts'
import type { Wakeup } from '../base/time/wakeup.ts'
import { Observability } from '../metrics/observability.ts'
import { bindTasks } from './bound-task.ts'
import { task } from './task.ts'
import { MemorySchedule } from './memory-schedule.ts'
import { ScheduleRunner } from './schedule-runner.ts'
import type { Task, TaskRules } from './task.ts'

/** A task of every minute that notes its due times. */
function minutely(ran: string[], rules: TaskRules = {}): Task<null> {
  return task('minutely', { every: 60, ...rules }).run<null>(({ due }) => {
    ran.push(due.toISOString().slice(11, 19))
  })
}

test('a task runs once at each due time, whichever process looks first', async () => {
  const ran: string[] = []
  const bench = new ScheduleBench('2026-01-01T10:00:30Z')
  const [first, second] = [bench.runner([minutely(ran)]), bench.runner([minutely(ran)])]
  for (const runner of [first, second]) await runner.register()
  await bench.at('2026-01-01T10:00:59.999Z', first)
  assert.deepEqual(ran, [])
  await bench.at('2026-01-01T10:01:00Z', first)
  await bench.at('2026-01-01T10:01:00Z', second)
  await bench.at('2026-01-01T10:02:01Z', second)
  await bench.at('2026-01-01T10:02:03Z', first)
  assert.deepEqual(ran, ['10:01:00', '10:02:00'])
  assert.deepEqual([(await bench.store.find('minutely'))?.runs, bench.errors], [2, []])
})

test('without a clock of its own it follows the clock of the process, which tests move', async () => {
  const ran: string[] = []
  const runner = new ScheduleRunner({
    tasks: bindTasks([minutely(ran)], null, 'UTC'),
    store: new MemorySchedule(),
    log: new Channel('schedule', { sinks: [] }),
    registry: null,
  })
  await runner.register()
  shiftClock(60)
  try {
    await runner.look()
    await runner.settled()
  } finally {
    shiftClock(-60)
  }
  assert.ok(ran.length > 0)
})

test('due times that are a little late all run, in order', async () => {
  const ran: string[] = []
  const bench = new ScheduleBench('2026-01-01T10:00:00Z')
  const runner = bench.runner([minutely(ran, { overlap: 'allow' })])
  await runner.register()
  await bench.at('2026-01-01T10:02:30Z', runner)
  assert.deepEqual(ran, ['10:01:00', '10:02:00'])
})

test('missed due times are told and counted, and not run', async () => {
  const ran: string[] = []
  const registry = new Observability(false)
  const bench = new ScheduleBench('2026-01-01T10:00:00Z', { registry })
  const runner = bench.runner([minutely(ran, { grace: 20 })])
  await runner.register()
  await bench.at('2026-01-01T11:00:30Z', runner)
  assert.deepEqual([ran, bench.lines], [[], ['task missed: no process was there to run it']])
  assert.equal((await bench.store.find('minutely'))?.missed, 60)
  await bench.at('2026-01-01T11:01:00Z', runner)
  assert.deepEqual(ran, ['11:01:00'])
  const text = JSON.stringify(registry.gather().metrics)
  assert.match(text, /"outcome":"missed","task":"minutely"\},"value":60/)
  assert.match(text, /"outcome":"done","task":"minutely"\},"value":1/)
})

test('with catchUp it runs once for the last due time that was missed', async () => {
  const ran: string[] = []
  const bench = new ScheduleBench('2026-01-01T10:00:00Z')
  const daily = task('daily', { cron: '0 7 * * *', catchUp: 'once' }).run<null>(({ due }) => {
    ran.push(due.toISOString())
  })
  const runner = bench.runner([daily])
  await runner.register()
  await bench.at('2026-01-05T09:00:00Z', runner)
  await bench.at('2026-01-05T09:01:00Z', runner)
  assert.deepEqual(ran, ['2026-01-05T07:00:00.000Z'])
  assert.equal((await bench.store.find('daily'))?.missed, 3)
  assert.deepEqual(bench.lines.slice(0, 2), [
    'task missed: no process was there to run it',
    'task runs late',
  ])
})

test('a year of missed seconds is not counted one by one', async () => {
  const ran: string[] = []
  const bench = new ScheduleBench('2025-01-01T00:00:00Z')
  const each = task('each', { cron: '* * * * * *', grace: 1 }).run<null>(() => void ran.push(''))
  const runner = bench.runner([each])
  await runner.register()
  await bench.at('2026-01-01T00:00:00.500Z', runner)
  assert.equal((await bench.store.find('each'))?.missed, 100)
  assert.deepEqual(ran, [''])
})

test('new tasks, and tasks whose times have changed, have missed nothing', async () => {
  const ran: string[] = []
  const bench = new ScheduleBench('2026-01-01T10:00:30Z')
  await bench.runner([task('report', { cron: '0 7 1 * *' }).run<null>(() => {})]).register()
  bench.nowMs = Date.parse('2026-01-20T10:00:30Z')
  const hourly = task('report', { cron: '0 * * * *', catchUp: 'once' })
  const runner = bench.runner([hourly.run<null>(({ due }) => void ran.push(due.toISOString()))])
  await runner.register()
  await bench.at('2026-01-20T10:00:40Z', runner)
  assert.deepEqual([ran, bench.lines], [[], []])
  await bench.at('2026-01-20T11:00:00Z', runner)
  assert.deepEqual(ran, ['2026-01-20T11:00:00.000Z'])
})

test('a due time is skipped while the last run goes on, and told', async () => {
  const gate = Promise.withResolvers<void>()
  const ran: string[] = []
  const bench = new ScheduleBench('2026-01-01T10:00:30Z')
  const slow = task('slow', { every: 60 }).run<null>(async ({ due }) => {
    ran.push(due.toISOString().slice(11, 16))
    await gate.promise
  })
  const [first, second] = [bench.runner([slow]), bench.runner([slow])]
  await first.register()
  bench.nowMs = Date.parse('2026-01-01T10:01:00Z')
  await first.look()
  bench.nowMs = Date.parse('2026-01-01T10:01:59Z')
  await bench.store.extend(
    'slow',
    (await bench.store.find('slow'))?.lease ?? '',
    bench.nowMs + 60_000,
  )
  bench.nowMs = Date.parse('2026-01-01T10:02:00Z')
  await second.look()
  assert.deepEqual(ran, ['10:01'])
  assert.deepEqual(bench.lines, ['task skipped: its last run goes on'])
  gate.resolve()
  await first.settled()
  await bench.at('2026-01-01T10:03:00Z', second)
  assert.deepEqual(ran, ['10:01', '10:03'])
  assert.equal((await bench.store.find('slow'))?.skipped, 1)
})

test('with overlap allowed it runs beside its last run', async () => {
  const gate = Promise.withResolvers<void>()
  const bench = new ScheduleBench('2026-01-01T10:00:30Z')
  let running = 0
  const slow = task('slow', { every: 60, overlap: 'allow' }).run<null>(async () => {
    running += 1
    await gate.promise
  })
  const runner = bench.runner([slow])
  await runner.register()
  for (const minute of ['01', '02', '03']) {
    bench.nowMs = Date.parse(`2026-01-01T10:${minute}:00Z`)
    await runner.look()
  }
  await waitFor('three runs', () => running === 3)
  gate.resolve()
  await runner.settled()
  assert.equal((await bench.store.find('slow'))?.runs, 3)
})

test('the task of a dead process runs again when its lease is over, and that is told', async () => {
  const ran: string[] = []
  const bench = new ScheduleBench('2026-01-01T10:00:30Z', { lease: 60 })
  const dying = bench.runner([
    task('minutely', { every: 60 }).run<null>(() => new Promise(() => {})),
  ])
  await dying.register()
  bench.nowMs = Date.parse('2026-01-01T10:01:00Z')
  await dying.look()
  const other = bench.runner([minutely(ran)])
  await bench.at('2026-01-01T10:02:30Z', other)
  assert.deepEqual(ran, ['10:02:00'])
  assert.equal(bench.lines[0], 'task lost: the process that ran it has died')
  assert.equal((await bench.store.find('minutely'))?.failures, 1)
  await dying.stop(0)
  assert.equal(bench.results.at(-1)?.outcome, 'lost')
})

test('a run whose lease was taken over is lost, and its signal is aborted', async () => {
  const gate = Promise.withResolvers<void>()
  const bench = new ScheduleBench('2026-01-01T10:00:30Z', { lease: 1 })
  let signal: AbortSignal | null = null
  const slow = task('slow', { every: 60 }).run<null>(async (context) => {
    signal = context.signal
    await gate.promise
  })
  const runner = bench.runner([slow])
  await runner.register()
  const release = runner.hold()
  bench.nowMs = Date.parse('2026-01-01T10:01:00Z')
  await runner.look()
  bench.nowMs += 10_000
  const state = await bench.store.find('slow')
  assert.ok(state)
  const lease = { token: 'other', untilMs: bench.nowMs + 60_000 }
  const claim = { dueMs: state.dueMs, runDueMs: state.dueMs, missed: 0, nowMs: bench.nowMs, lease }
  assert.ok(await bench.store.claim(state, claim))
  await waitFor('an aborted signal', () => signal?.aborted === true)
  gate.resolve()
  await runner.settled()
  release()
  assert.equal(bench.results[0]?.outcome, 'lost')
})

test('a task that throws is reported and does not stop the others', async () => {
  const ran: string[] = []
  const bench = new ScheduleBench('2026-01-01T10:00:30Z')
  const broken = task('broken', { every: 60 }).run<null>(() => {
    throw new TypeError('hunter22')
  })
  const runner = bench.runner([broken, minutely(ran)])
  await runner.register()
  await bench.at('2026-01-01T10:01:00Z', runner)
  await bench.at('2026-01-01T10:02:00Z', runner)
  assert.deepEqual(ran, ['10:01:00', '10:02:00'])
  assert.deepEqual(
    bench.errors.map(({ message }) => message),
    ['hunter22', 'hunter22'],
  )
  const { outcome, reason, failures } = (await bench.store.find('broken')) ?? {}
  assert.deepEqual([outcome, reason, failures], ['failed', 'TypeError', 2])
  assert.ok(!JSON.stringify([bench.lines, await bench.store.list()]).includes('hunter22'))
})

test('a task that takes too long fails, and its signal is aborted', async () => {
  const bench = new ScheduleBench('2026-01-01T10:00:30Z')
  let aborted = false
  const endless = task('endless', { every: 60, timeout: 1 }).run<null>(({ signal }) => {
    signal.addEventListener('abort', () => void (aborted = true))
    return new Promise(() => {})
  })
  const runner = bench.runner([endless])
  await runner.register()
  await bench.at('2026-01-01T10:01:00Z', runner)
  assert.deepEqual([aborted, bench.results[0]?.outcome], [true, 'failed'])
  assert.match(bench.errors[0]?.message ?? '', /the task endless took longer than 1 s/)
})

test('stop waits for what runs, and cuts it when the time is over', async () => {
  const gate = Promise.withResolvers<void>()
  const bench = new ScheduleBench('2026-01-01T10:01:00Z')
  const slow = task('slow', { every: 60 }).run<null>(() => gate.promise)
  const patient = bench.runner([slow])
  await patient.register()
  bench.nowMs += 60_000
  await patient.look()
  const stopped = patient.stop(600)
  gate.resolve()
  await stopped
  assert.equal(bench.results[0]?.outcome, 'done')
  const endless = task('endless', { every: 60 }).run<null>(() => new Promise(() => {}))
  const hasty = bench.runner([endless])
  await hasty.register()
  bench.nowMs += 60_000
  await hasty.look()
  await hasty.stop(0.01)
  assert.equal(bench.results[1]?.outcome, 'failed')
  assert.match(bench.errors[0]?.message ?? '', /still running when its process had to stop/)
  // Nobody waits for the lease of a run that was cut.
  assert.equal((await bench.store.find('endless'))?.lease, null)
})

test('a task can be run at any time, but not beside its own run', async () => {
  const gate = Promise.withResolvers<void>()
  const bench = new ScheduleBench('2026-01-01T10:00:30Z')
  const yearly = task('yearly', { cron: '0 0 1 1 *' }).run<null>(() => gate.promise)
  const [first, second] = [bench.runner([yearly]), bench.runner([yearly])]
  await first.register()
  const running = first.runNow('yearly')
  await waitFor('a lease', async () => (await bench.store.find('yearly'))?.lease !== null)
  assert.equal(await second.runNow('yearly'), null)
  gate.resolve()
  assert.equal((await running)?.outcome, 'done')
  await assert.rejects(first.runNow('daily'), { code: 'E_SCHEDULE' })
})

test('a failing store is reported once, and the schedule goes on when it is back', async () => {
  const ran: string[] = []
  let isDown = false
  class Flaky extends MemorySchedule {
    override async find(name: string): ReturnType<MemorySchedule['find']> {
      if (isDown) throw new Error('the store is down')
      return super.find(name)
    }
  }
  const pauses: number[] = []
  const wait = async (_wakeup: Wakeup, ms: number): Promise<void> => {
    if (isDown) pauses.push(ms)
    await setImmediate()
  }
  const bench = new ScheduleBench('2026-01-01T10:00:30Z', { store: new Flaky(), wait })
  const runner = bench.runner([minutely(ran)])
  await runner.start()
  isDown = true
  bench.nowMs = Date.parse('2026-01-01T10:01:00Z')
  await waitFor('some failures', () => pauses.length > 20)
  isDown = false
  await waitFor('a run', () => ran.length > 0)
  await runner.stop(1)
  assert.deepEqual(
    bench.errors.map(({ message }) => message),
    ['the store is down'],
  )
  assert.deepEqual(
    pauses.slice(-8, -2).every((ms) => ms === 30_000),
    true,
  )
})

test('rows of tasks that are gone are dropped after three months', async () => {
  const bench = new ScheduleBench('2026-01-01T10:00:00Z')
  await bench.runner([task('old', { every: 60 }).run<null>(() => {})]).register()
  bench.nowMs = Date.parse('2026-02-01T10:00:00Z')
  const runner = bench.runner([task('new', { every: 60 }).run<null>(() => {})])
  await runner.register()
  assert.equal((await bench.store.list()).length, 2)
  bench.nowMs = Date.parse('2026-05-01T10:00:00Z')
  await runner.register()
  assert.deepEqual(
    (await bench.store.list()).map(({ task: name }) => name),
    ['new'],
  )
})
