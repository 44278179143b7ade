import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ScheduleBench } from '../../../tests/support/schedule-bench.ts'
import { Emitter } from '../../events/emitter.ts'
import { task } from '../../schedule/task.ts'
import type { ActivityRecord } from './activity-record.ts'
import { recordTasks } from './record-tasks.ts'
import { Recorder } from './recorder.ts'

test('every run of a task is a record, with its due time and its outcome', async (t) => {
  const records = new Map<object, () => ActivityRecord>()
  const recorder = new Recorder((key, record) => void records.set(key, record), 4)
  t.after(recorder.start())
  t.after(recordTasks(recorder, Emitter.Instance))
  const bench = new ScheduleBench('2026-01-01T10:00:30Z')
  const runner = bench.runner([
    task('good', { every: 60 }).run<null>(() => {}),
    task('bad', { every: 60 }).run<null>(() => Promise.reject(new TypeError('hunter22'))),
  ])
  await runner.register()
  await bench.at('2026-01-01T10:01:00Z', runner)
  const found = [...records.values()].map((record) => record())
  const byTitle = found.toSorted((a, b) => a.title.localeCompare(b.title))
  assert.deepEqual(
    byTitle.map(({ kind, title, status, failed }) => [kind, title, status, failed]),
    [
      ['task', 'bad', 'failed', true],
      ['task', 'good', 'done', false],
    ],
  )
  const bad = found.find(({ title }) => title === 'bad')
  assert.deepEqual(bad?.tables[0]?.rows, [
    ['due', '2026-01-01T10:01:00.000Z'],
    ['failed with', 'TypeError'],
  ])
})
