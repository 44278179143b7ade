import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day } from '../i18n/day.ts'
import { Channel } from '../logs/channel.ts'
import { bindTasks } from './bound-task.ts'
import { task } from './task.ts'

test('a task has its rules completed', () => {
  const { name, times, overlap, catchUp, graceMs, timeoutMs } = task('mail:digest', {
    cron: '0 7 * * 1',
  }).run(() => {})
  assert.deepEqual(
    { name, expression: times.expression, overlap, catchUp, graceMs, timeoutMs },
    {
      name: 'mail:digest',
      expression: '0 7 * * 1 UTC',
      overlap: 'skip',
      catchUp: 'none',
      graceMs: 120_000,
      timeoutMs: 3_600_000,
    },
  )
})

test('an invalid name, time or rule is refused', () => {
  const plan = (name: string, options: object): void => {
    Reflect.apply(task, undefined, [name, options])
  }
  const wrong: readonly (readonly [string, object])[] = [
    ['Digest', { every: 60 }],
    ['', { every: 60 }],
    ['a'.repeat(65), { every: 60 }],
    ['digest', {}],
    ['digest', { every: 60, cron: '* * * * *' }],
    ['digest', { every: 60, overlap: 'queue' }],
    ['digest', { every: 60, catchUp: 'all' }],
    ['digest', { every: 60, grace: 0 }],
    ['digest', { every: 60, timeout: 'long' }],
  ]
  for (const [name, options] of wrong) {
    assert.throws(
      () => plan(name, options),
      { code: 'E_SCHEDULE' },
      JSON.stringify([name, options]),
    )
  }
})

test('a task without a time zone is due in that of its project, and knows it', async () => {
  const days: string[] = []
  const plans = [
    task('midnight', { cron: '0 0 * * *' }),
    task('tokyo', { cron: '0 0 * * *', timeZone: 'Asia/Tokyo' }),
    task('often', { every: 60 }),
  ]
  const tasks = plans.map((plan) =>
    plan.run(({ due, timeZone }) => void days.push(day(due, timeZone).date)),
  )
  const bound = bindTasks(tasks, null, 'Europe/Berlin')
  assert.deepEqual(
    bound.map(({ times }) => times.expression),
    ['0 0 * * * Europe/Berlin', '0 0 * * * Asia/Tokyo', 'every 60 s'],
  )
  // The day on which clocks go back has 25 hours.
  const [midnight] = bound
  const due = midnight?.times.next(Date.parse('2026-10-24T22:00:00Z')) ?? 0
  assert.equal(new Date(due).toISOString(), '2026-10-25T23:00:00.000Z')
  const { signal } = new AbortController()
  const log = new Channel('schedule', { sinks: [] })
  for (const { run } of bound) await run({ due: new Date('2026-10-25T16:00:00Z'), signal, log })
  assert.deepEqual(days, ['2026-10-25', '2026-10-26', '2026-10-25'])
})
