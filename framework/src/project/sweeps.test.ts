import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables, Throwables } from '../errors/throwables/throwables.ts'
import type { Sweepable } from './sweeps.ts'
import { sweepAll, sweepTask } from './sweeps.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { Channel } from '../logs/channel.ts'
import { TaskActivity } from '../schedule/bound-task.ts'

function recording(): { throwables: Throwables; reports: (readonly [Error, unknown])[] } {
  const throwables = createThrowables()
  const reports: (readonly [Error, unknown])[] = []
  throwables.reporters.push((error, context) => reports.push([error, context]))
  return { throwables, reports }
}

const dropping = (count: number): Sweepable => ({ sweep: () => Promise.resolve(count) })

test('each store is swept once, in the listed order, and its count is returned', async () => {
  const order: string[] = []
  const sweep = (name: string, count: number): Sweepable => ({
    sweep: async () => {
      order.push(`${name} begins`)
      await Promise.resolve()
      order.push(`${name} ends`)
      return count
    },
  })
  const results = await sweepAll({ b: sweep('b', 2), a: sweep('a', 0), sync: { sweep: () => 3 } })
  assert.deepEqual(results, [
    { name: 'b', dropped: 2, error: null },
    { name: 'a', dropped: 0, error: null },
    { name: 'sync', dropped: 3, error: null },
  ])
  assert.deepEqual(order, ['b begins', 'b ends', 'a begins', 'a ends'])
})

test('one that throws is reported, and the others are swept all the same', async () => {
  const { throwables, reports } = recording()
  const failures = [new Error('away'), new Error('at once')]
  const sweeps = {
    later: { sweep: () => Promise.reject(failures[0]) },
    now: {
      sweep: (): number => {
        throw failures[1]
      },
    },
    last: dropping(1),
  }
  const results = await sweepAll(sweeps, throwables)
  assert.deepEqual(results, [
    { name: 'later', dropped: null, error: failures[0] },
    { name: 'now', dropped: null, error: failures[1] },
    { name: 'last', dropped: 1, error: null },
  ])
  assert.deepEqual(reports, [
    [failures[0], { sweep: 'later' }],
    [failures[1], { sweep: 'now' }],
  ])
  assert.equal(throwables.reporters.length, 1)
})

test('a store that reports its failure and answers 0 has failed too', async () => {
  const { throwables } = recording()
  const away = new Error('the database is away')
  const closed = {
    sweep: async () => {
      await Promise.resolve()
      throwables.notify(away)
      return 0
    },
  }
  assert.deepEqual(await sweepAll({ closed, open: dropping(4) }, throwables), [
    { name: 'closed', dropped: null, error: away },
    { name: 'open', dropped: 4, error: null },
  ])
})

for (const count of [undefined, null, '3', -1, 1.5, NaN]) {
  test(`a sweep that gives ${JSON.stringify(count)} is rejected with what was expected`, async () => {
    const { throwables } = recording()
    const odd = dropping(0)
    Reflect.set(odd, 'sweep', () => count)
    const [result] = await sweepAll({ odd }, throwables)
    assert.equal(result?.dropped, null)
    assert.match(result?.error?.message ?? '', /^sweep\(\) of "odd" must return how many /)
  })
}

const due = new Date(0)
const context = {
  due,
  timeZone: 'UTC',
  signal: new AbortController().signal,
  log: new Channel('schedule', { sinks: [] }),
}

test('the task sweep sweeps all stores, and fails by name if some of them do', async () => {
  const swept: string[] = []
  const good = { sweep: () => swept.push('good') }
  const bad = { sweep: () => Promise.reject(new Error('hunter22')) }
  const { name, run } = sweepTask({ cron: '15 4 * * *' })
  assert.equal(name, 'sweep')
  await run({ ...context, services: { good } })
  await assert.rejects(async () => run({ ...context, services: { bad, good } }), {
    code: 'E_TASK',
    message: 'cannot sweep bad',
  })
  assert.deepEqual(swept, ['good', 'good'])
})

test('what a request reports meanwhile does not make a sweep fail', async () => {
  const store = {
    sweep: async () => {
      CurrentWork.runOutside(() => Throwables.notify(new Error('of a request')))
      return 0
    },
  }
  const { run } = sweepTask({ cron: '15 4 * * *' })
  await CurrentWork.runActivity(new TaskActivity('sweep', due), async () =>
    run({ ...context, services: { store } }),
  )
})
