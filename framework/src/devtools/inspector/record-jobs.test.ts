import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Encrypter } from '../../base/crypto/encrypter.ts'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { MemoryJobs } from '../../queue/memory-jobs.ts'
import { Queue } from '../../queue/queue.ts'
import { runQueue } from '../../queue/run-queue.ts'
import type { ActivityRecord } from './activity-record.ts'
import { recordJobs } from './record-jobs.ts'
import { Recorder } from './recorder.ts'

test('every attempt of a job is a record, with its outcome and without its payload', async (t) => {
  const records = new Map<object, () => ActivityRecord>()
  const recorder = new Recorder((key, record) => void records.set(key, record), 4)
  t.after(recorder.start())
  t.after(recordJobs(recorder, Emitter.Instance))
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
