import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Encrypter } from '../base/crypto/encrypter.ts'
import { createThrowables } from '../errors/throwables/throwables.ts'
import { Leases } from './leases.ts'
import { MemoryJobs } from './memory-jobs.ts'
import { Queue } from './queue.ts'
import { runJob } from './run-job.ts'

const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')

test('a result is brought to a store that fails a few times with growing pauses', async () => {
  for (const refusals of [0, 3, 4]) {
    const store = new MemoryJobs()
    const queue = new Queue('mail', store, { encrypter })
    await queue.push('x')
    const [job] = await store.claim('mail', 1, 60)
    assert.ok(job !== undefined)
    const complete = store.complete.bind(store)
    let left = refusals
    store.complete = async (lease) => {
      if (left-- > 0) throw new Error('away')
      return complete(lease)
    }
    const pauses: number[] = []
    const reports: unknown[] = []
    const throwables = createThrowables()
    throwables.reporters.push((error) => reports.push(error))
    const { outcome } = await runJob(queue, () => {}, job, {
      leases: new Leases(store, { visibility: 60 }),
      throwables,
      pause: async (ms) => pauses.push(ms),
    })
    assert.equal(outcome, refusals === 4 ? 'lost' : 'done')
    assert.deepEqual(pauses, [250, 500, 1_000].slice(0, refusals))
    assert.equal(reports.length, refusals === 4 ? 1 : 0)
  }
})
