import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Encrypter } from '../../base/crypto/encrypter.ts'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { MemoryJobs } from '../../queue/memory-jobs.ts'
import { Queue } from '../../queue/queue.ts'
import { runQueue } from '../../queue/run-queue.ts'
import { task } from '../../schedule/task.ts'
import type { ActivityRecord } from './activity-record.ts'
import { recordWork } from './record-process.ts'
import { Recorder } from './recorder.ts'
import { ScheduleBench } from '../../../tests/support/schedule-bench.ts'

test('every attempt of a job is a record, with its outcome and without its payload', async (t) => {
  const records = new Map<object, () => ActivityRecord>()
  const recorder = new Recorder((key, record) => void records.set(key, record), 4)
  t.after(recorder.start())
  t.after(recordWork(recorder, Emitter.Instance))
  const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')
  const queue = new Queue<string>('letters', new MemoryJobs(), { encrypter, attempts: 1 })
  await queue.push('good')
  await queue.push('hunter22')
  await runQueue(
    queue,
    ({ payload }) => {
      if (payload !== 'good') throw new TypeError(payload)
    },
    { once: true, throwables: createThrowables() },
  )
  const found = [...records.values()].map((record) => record())
  assert.deepEqual(
    found.map(({ kind, title, status, failed }) => [kind, title, status, failed]),
    [
      ['job', 'letters', 'done', false],
      ['job', 'letters', 'dead', true],
    ],
  )
  assert.deepEqual(found[1]?.tables[0]?.rows, [
    ['attempt', '1'],
    ['failed with', 'TypeError'],
  ])
  assert.ok(!JSON.stringify(found.map(({ tables }) => tables)).includes('hunter22'))
})

test('every run of a task is a record, with its due time and its outcome', async (t) => {
  const records = new Map<object, () => ActivityRecord>()
  const recorder = new Recorder((key, record) => void records.set(key, record), 4)
  t.after(recorder.start())
  t.after(recordWork(recorder, Emitter.Instance))
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
