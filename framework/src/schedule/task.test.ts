import assert from 'node:assert/strict'
import { test } from 'node:test'
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
