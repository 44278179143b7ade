import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Encrypter } from '../base/crypto/encrypter.ts'
import { createThrowables } from '../errors/throwables/throwables.ts'
import { Leases } from './leases.ts'
import { MemoryJobs } from './memory-jobs.ts'
import { Queue } from './queue.ts'
import { runJob, backoffAfter } from './run-job.ts'
import type { TestContext } from 'node:test'
import { attributesOf } from '../../tests/support/decode-otlp.ts'
import type { OtlpSpan } from '../../tests/support/decode-otlp.ts'
import { answer, startCollector } from '../../tests/support/fake-collector.ts'
import { sampleTracing } from '../../tests/support/sample-tracing.ts'
import { spansIn } from '../../tests/support/spans-in.ts'
import { LogContext } from '../logs/log-context.ts'
import { createTracing } from '../tracing/tracing.ts'
import { trace } from '../tracing/trace.ts'
import type { JobHandler } from './job.ts'

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

test('each failure waits twice as long as the one before, up to a limit', () => {
  const options = { backoff: 10, maxBackoff: 3_600 }
  const waits = [1, 2, 3, 4, 9, 10, 50, 2_000].map((attempt) => backoffAfter(attempt, options))
  assert.deepEqual(waits, [10, 20, 40, 80, 2_560, 3_600, 3_600, 3_600])
  assert.equal(backoffAfter(5, { backoff: 0, maxBackoff: 3_600 }), 0)
})

/** Pushes a job inside a span, runs it once, and returns all spans. */
async function spansOf(
  t: TestContext,
  handler: JobHandler<string>,
  ratio = 1,
): Promise<readonly OtlpSpan[]> {
  const collector = await startCollector(t, answer(200))
  const tracing = createTracing({ ...sampleTracing, endpoint: collector.url, ratio }).start()
  const store = new MemoryJobs()
  const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')
  const queue = new Queue<string>('mail', store, { encrypter, attempts: 2 })
  await trace('request', () => queue.push('letter'))
  const [job] = await store.claim('mail', 1, 60)
  assert.ok(job !== undefined)
  const leases = new Leases(store, { visibility: 60 })
  await runJob(queue, handler, job, { leases, throwables: createThrowables() })
  await tracing.close()
  return spansIn(collector)
}

test('a job is a trace of its own, linked to the span that pushed it', async (t) => {
  let fields = {}
  const spans = await spansOf(t, ({ payload }) => {
    assert.equal(payload, 'letter')
    fields = LogContext.current()
    return trace('print', () => {})
  })
  const [push, request, print, job] = spans
  assert.deepEqual(
    spans.map(({ name, kind }) => [name, kind]),
    [
      ['send mail', 4],
      ['request', 1],
      ['print', 1],
      ['process mail', 5],
    ],
  )
  assert.equal(push?.parentSpanId, request?.spanId)
  assert.equal(print?.parentSpanId, job?.spanId)
  assert.notEqual(job?.traceId, request?.traceId)
  assert.deepEqual(job?.links, [{ traceId: request?.traceId, spanId: request?.spanId }])
  const { traceId: trace_, spanId: span } = job
  assert.deepEqual(fields, { job: attributesOf(job)['messaging.message.id'], trace: trace_, span })
  assert.equal(attributesOf(job)['messaging.destination.name'], 'mail')
  assert.equal(attributesOf(job)['framework.job.outcome'], 'done')
})

test('a job that fails is a failed span, and is exported beyond the ratio', async (t) => {
  const spans = await spansOf(
    t,
    () => {
      throw new RangeError('no paper')
    },
    0,
  )
  const [job, ...others] = spans
  assert.deepEqual(others, [])
  assert.equal(job?.name, 'process mail')
  assert.equal(job.status?.code, 2)
  assert.equal(attributesOf(job)['error.type'], 'RangeError')
  assert.equal(job.links?.length, 1)
})

test('a job that ends well is recorded only if what pushed it was', async (t) => {
  assert.deepEqual(await spansOf(t, () => {}, 0), [])
})
