import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from '../errors/throwables/throwables.ts'
import { Observability } from '../metrics/observability.ts'
import { intervalTimes } from './task.ts'
import { measureSchedule } from './schedule-metrics.ts'
import { MemorySchedule } from './memory-schedule.ts'

function valuesOf(registry: Observability): Readonly<Record<string, number>> {
  const values: Record<string, number> = {}
  for (const [name, metric] of Object.entries(registry.gather().metrics)) {
    if (metric.type === 'histogram') continue
    for (const { value } of metric.series) values[name] = value
  }
  return values
}

test('a task that nobody runs is overdue, even if nobody has ever run it', async (t) => {
  let nowMs = 1_000_000_000
  const store = new MemorySchedule()
  const registry = new Observability(false)
  const tasks = [{ name: 'hourly', times: intervalTimes(3_600) }]
  const measurement = measureSchedule({ tasks, store, nowMs: () => nowMs }, { registry })
  t.after(() => measurement.close())
  await measurement.look()
  nowMs = (intervalTimes(3_600).next(nowMs) ?? 0) + 90_000
  await measurement.look()
  assert.deepEqual(valuesOf(registry), { schedule_overdue_seconds: 90 })
  const seen = (await store.find('hourly')) ?? assert.fail('it is not there')
  const claim = { dueMs: nowMs, runDueMs: nowMs, missed: 0, nowMs, lease: null }
  await store.claim(seen, claim)
  await store.finish({ task: 'hourly', token: null, outcome: 'done', reason: null, endedMs: nowMs })
  await measurement.look()
  assert.deepEqual(valuesOf(registry), {
    schedule_overdue_seconds: 0,
    schedule_last_success_timestamp_seconds: nowMs / 1_000,
  })
})

test('an outage of the store is reported once', async (t) => {
  class Down extends MemorySchedule {
    override list(): Promise<never> {
      return Promise.reject(new Error('the store is down'))
    }
  }
  const throwables = createThrowables()
  const reports: string[] = []
  throwables.add(({ message }) => reports.push(message))
  const schedule = { tasks: [], store: new Down() }
  const registry = new Observability(false)
  const measurement = measureSchedule(schedule, { registry, throwables })
  t.after(() => measurement.close())
  await measurement.look()
  await measurement.look()
  assert.deepEqual(reports, ['the store is down'])
})
