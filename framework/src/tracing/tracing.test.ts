import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { CurrentWork } from '../activity/current-work.ts'
import { attributesOf } from '../../tests/support/decode-otlp.ts'
import { answer, startCollector } from '../../tests/support/fake-collector.ts'
import type { Answering, FakeCollector } from '../../tests/support/fake-collector.ts'
import { sampleTracing } from '../../tests/support/sample-tracing.ts'
import { spansIn } from '../../tests/support/spans-in.ts'
import { waitFor } from '../../tests/support/wait-for.ts'
import { createTracing } from './tracing.ts'
import type { TracingOptions } from './tracing.ts'
import { spanCounts } from './span-metrics.ts'
import { SpanKinds } from './span.ts'
import { trace } from './trace.ts'
import type { Tracing } from './tracing.ts'

interface Traced {
  readonly tracing: Tracing
  readonly collector: FakeCollector
  readonly told: string[]
}

async function traced(
  t: TestContext,
  options: Partial<TracingOptions> = {},
  ...answers: readonly Answering[]
): Promise<Traced> {
  const collector = await startCollector(t, ...(answers.length === 0 ? [answer(200)] : answers))
  const told: string[] = []
  const tracing = createTracing({
    ...sampleTracing,
    endpoint: collector.url,
    told: (text) => void told.push(text),
    ...options,
  }).start()
  t.after(() => tracing.close())
  return { tracing, collector, told }
}

function names(collector: FakeCollector): string[] {
  return spansIn(collector).map(({ name }) => name)
}

const kind = SpanKinds.Internal

test('trace() nests, ends with its work, and passes results and errors on', async (t) => {
  const { tracing, collector } = await traced(t)
  const result = await trace('outer', async () => {
    assert.equal(
      trace('sync', () => 5),
      5,
    )
    assert.throws(() =>
      trace('broken', () => {
        throw new TypeError('no')
      }),
    )
    await assert.rejects(trace('rejected', () => Promise.reject(new Error('no'))))
    return 'done'
  })
  assert.equal(result, 'done')
  await tracing.close()
  const spans = spansIn(collector)
  const outer = spans.find(({ name }) => name === 'outer')
  assert.deepEqual(
    spans.map(({ name, parentSpanId, status }) => [name, parentSpanId, status?.code]),
    [
      ['sync', outer?.spanId, undefined],
      ['broken', outer?.spanId, 2],
      ['rejected', outer?.spanId, 2],
      ['outer', undefined, undefined],
    ],
  )
  const broken = spans.find(({ name }) => name === 'broken')
  assert.equal(attributesOf(broken ?? {})['error.type'], 'TypeError')
  assert.equal(broken?.events?.length, 1)
})

test('log lines and spans have the same ids', async (t) => {
  const { tracing, collector } = await traced(t)
  const ids = trace('work', () => CurrentWork.context().span)
  await tracing.close()
  const [span] = spansIn(collector)
  assert.equal(span?.traceId, ids?.traceId)
  assert.equal(span?.spanId, ids?.spanId)
})

test('by default what fails or is slow is exported beyond the ratio', async (t) => {
  const { tracing, collector } = await traced(t, { ratio: 0 })
  tracing.root('fast', { kind }).end()
  tracing.root('failed', { kind }).fail().end()
  const slow = tracing.root('slow', { kind, startMs: performance.now() - 1_000 })
  CurrentWork.runSpan(slow, () => trace('inside', () => {}))
  slow.end()
  const unsampled = { traceId: '1'.repeat(32), spanId: '1'.repeat(16), sampled: false }
  tracing
    .root('of others', { kind, parent: { ...unsampled, random: true, state: '' } })
    .fail()
    .end()
  await tracing.close()
  assert.deepEqual(names(collector), ['failed', 'inside', 'slow'])
})

for (const sampler of ['always_off', 'traceidratio', 'parentbased_traceidratio'] as const) {
  test(`nothing is exported beyond ${sampler}`, async (t) => {
    const { tracing, collector } = await traced(t, { ratio: 0, sampler })
    tracing.root('failed', { kind }).fail().end()
    await tracing.close()
    assert.deepEqual(collector.posts, [])
  })
}

test('a batch is exported as soon as it is full, and the rest after the delay', async (t) => {
  const { tracing, collector } = await traced(t, { maxBatch: 2, delayMs: 1 })
  for (const name of ['a', 'b', 'c']) tracing.root(name, { kind }).end()
  await waitFor('all spans', () => names(collector).length === 3)
  assert.deepEqual(names(collector), ['a', 'b', 'c'])
  assert.equal(collector.posts.length, 2)
  assert.equal(collector.posts[0]?.headers['content-type'], 'application/json')
})

test('spans beyond the queue are dropped and counted', async (t) => {
  const { tracing, collector } = await traced(t, { maxQueue: 3 })
  const before = spanCounts.overflowed
  for (let at = 0; at < 10; at += 1) tracing.root(`span ${at}`, { kind }).end()
  assert.equal(spanCounts.overflowed - before, 7)
  await tracing.close()
  assert.deepEqual(names(collector), ['span 0', 'span 1', 'span 2'])
})

test('the spans of a trace that is only kept for now are bounded', async (t) => {
  const { tracing, collector } = await traced(t, { ratio: 0 })
  const before = spanCounts.overflowed
  const root = tracing.root('failed', { kind }).fail()
  CurrentWork.runSpan(root, () => {
    for (let at = 0; at < 300; at += 1) trace('inside', () => {})
  })
  assert.equal(spanCounts.overflowed - before, 44)
  root.end()
  await tracing.close()
  assert.equal(names(collector).length, 257)
})

test('a trace that is exported keeps all its spans', async (t) => {
  const { tracing, collector } = await traced(t)
  const root = tracing.root('job', { kind })
  CurrentWork.runSpan(root, () => {
    for (let at = 0; at < 600; at += 1) trace(`span ${at}`, () => {})
  })
  root.end()
  await tracing.close()
  const wanted = Array.from({ length: 600 }, (_, at) => `span ${at}`)
  assert.deepEqual(names(collector), [...wanted, 'job'])
})

test('the spans of what has not ended are exported at the end of the process', async (t) => {
  const { tracing, collector } = await traced(t)
  const root = tracing.root('hangs', { kind })
  CurrentWork.runSpan(root, () => trace('inside', () => {}))
  await tracing.close()
  assert.deepEqual(names(collector), ['inside'])
})

test('a collector that is away costs the spans and one line, and ends nothing', async (t) => {
  const away = 'http://127.0.0.1:1'
  const { tracing, told } = await traced(t, { endpoint: away, maxBatch: 1, exportTimeoutMs: 1 })
  const before = spanCounts.refused
  for (let at = 0; at < 3; at += 1) {
    tracing.root('lost', { kind }).end()
    await waitFor('the loss', () => spanCounts.refused - before > at)
  }
  assert.deepEqual(told, ['spans could not be exported'])
})

test('it is told when the collector is back', async (t) => {
  const { tracing, told } = await traced(t, { maxBatch: 1 }, answer(400), answer(200))
  tracing.root('lost', { kind }).end()
  await waitFor('the loss', () => told.length === 1)
  tracing.root('kept', { kind }).end()
  await waitFor('the export', () => told.length === 2)
  assert.deepEqual(told, ['spans could not be exported', 'spans are exported again'])
})

test('the export is no part of the request that fills the batch, and is not traced', async (t) => {
  const { tracing, collector } = await traced(t, { maxBatch: 1 })
  const root = tracing.root('request', { kind })
  CurrentWork.runSpan(root, () => trace('inside', () => {}))
  await waitFor('the first export', () => collector.posts.length > 0)
  root.end()
  await tracing.close()
  assert.deepEqual(names(collector), ['inside', 'request'])
  for (const { headers } of collector.posts) assert.equal(headers['traceparent'], undefined)
})

test('steps after the end of a request still belong to it', async (t) => {
  const { tracing, collector } = await traced(t)
  const root = tracing.root('request', { kind })
  await CurrentWork.runSpan(root, async () => {
    root.end()
    await fetch(`${collector.url}/later`)
  })
  await tracing.close()
  const [request, later] = spansIn(collector)
  assert.equal(later?.parentSpanId, request?.spanId)
})

test('the resource says what runs here', async (t) => {
  const attributes = { 'service.version': '1.2', 'service.name': 'other' }
  const { tracing, collector } = await traced(t, { attributes })
  trace('work', () => {})
  await tracing.close()
  const { resourceSpans } = JSON.parse(collector.posts[0]?.body.toString() ?? '')
  const resource = attributesOf(resourceSpans[0].resource)
  assert.equal(resource['service.name'], 'shop')
  assert.equal(resource['service.version'], '1.2')
  assert.equal(resource['process.pid'], process.pid)
  assert.equal(resource['telemetry.sdk.language'], 'nodejs')
})

test('attributes, events and texts are bounded, and what OTLP cannot express is left out', async (t) => {
  const { tracing, collector } = await traced(t)
  const root = tracing.root('work', { kind })
  for (let at = 0; at < 200; at += 1) root.setAttribute(`a${at}`, at).addEvent(`e${at}`)
  root.setAttribute('a0', 'x'.repeat(10_000))
  Reflect.apply(root.setAttribute.bind(root), null, ['a1', { not: 'a value' }])
  root.setAttribute('a2', Number.NaN)
  root.setAttribute('a3', [1, 'two', true, null])
  root.end()
  root.setAttribute('late', 1)
  await tracing.close()
  const [span] = spansIn(collector)
  const { attributes = [], events = [] } = span ?? {}
  assert.equal(attributes.length, 126)
  assert.equal(events.length, 128)
  assert.equal(String(attributesOf(span ?? {})['a0']).length, 4_096)
})

test('at the end a collector that never responds is not waited for beyond the limit', async (t) => {
  const collector = await startCollector(t, () => {})
  const { tracing, told } = await traced(t, { endpoint: collector.url, timeoutMs: 0 })
  trace('work', () => {})
  const before = spanCounts.refused
  await tracing.close(1)
  assert.equal(spanCounts.refused - before, 1)
  assert.deepEqual(told, ['spans could not be exported'])
})

test('it is told when the collector rejects some spans', async (t) => {
  const body = '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}'
  const reasons: unknown[] = []
  const { tracing } = await traced(
    t,
    { told: (_text, { reason }) => void reasons.push(reason) },
    answer(200, {}, body),
  )
  trace('work', () => {})
  await tracing.close()
  assert.deepEqual(reasons, ['the collector rejected 2 spans: too old'])
})

test('a request that is dropped at once has ids that every service drops', async (t) => {
  const { tracing } = await traced(t, { ratio: 0.5, sampler: 'parentbased_traceidratio' })
  let dropped = 0
  for (let at = 0; at < 400; at += 1) {
    const root = tracing.requestRoot('GET')
    if (root === null) dropped += 1
    else assert.equal(root.sampled, true)
    root?.end()
  }
  assert.ok(dropped > 100 && dropped < 300, `${dropped} of 400 were dropped`)
  for (let at = 0; at < 50; at += 1) {
    const { traceId, context, sampled } = tracing.droppedRoot()
    assert.equal(sampled, false)
    assert.ok(Number.parseInt(traceId.slice(-14), 16) < 2 ** 55, traceId)
    assert.equal(context.traceId, traceId)
  }
})

test('while too many spans wait, whole requests are left out, but for those that fail', async (t) => {
  const before = spanCounts.overflowed
  const all = await traced(t, { maxQueue: 1, sampler: 'always_on' })
  all.tracing.requestRoot('first')?.end()
  assert.equal(all.tracing.requestRoot('second'), null)
  assert.equal(spanCounts.overflowed, before + 1)
  assert.equal(all.tracing.droppedRoot().sampled, false)
  const { tracing } = await traced(t, { maxQueue: 1 })
  tracing.requestRoot('first')?.end()
  const late = tracing.requestRoot('second')
  assert.equal(late?.isRecording(), true)
  assert.equal(late?.sampled, false)
  late?.end()
  assert.equal(spanCounts.overflowed, before + 2)
})
