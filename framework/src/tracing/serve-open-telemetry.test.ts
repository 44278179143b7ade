import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  context,
  propagation,
  trace,
} from '@opentelemetry/api'
import { CurrentWork } from '../activity/current-work.ts'
import { attributesOf, decodeSpans } from '../../tests/support/decode-otlp.ts'
import { answer, startCollector } from '../../tests/support/fake-collector.ts'
import type { FakeCollector } from '../../tests/support/fake-collector.ts'
import { sampleTracing } from '../../tests/support/sample-tracing.ts'
import { spansIn } from '../../tests/support/spans-in.ts'
import { createTracing } from './tracing.ts'
import { serveOpenTelemetry } from './serve-open-telemetry.ts'
import { trace as traceWork } from './trace.ts'
import type { Tracing } from './tracing.ts'

async function served(
  t: TestContext,
): Promise<{ readonly tracing: Tracing; readonly collector: FakeCollector }> {
  const collector = await startCollector(t, answer(200))
  const tracing = createTracing({ ...sampleTracing, endpoint: collector.url }).start()
  t.after(() => tracing.close())
  t.after(serveOpenTelemetry(tracing, import.meta.dirname))
  return { tracing, collector }
}

test('the spans of other libraries join ours, in both directions', async (t) => {
  const { tracing, collector } = await served(t)
  const tracer = trace.getTracer('library', '1.0')
  await traceWork('ours', async () => {
    assert.equal(trace.getActiveSpan()?.spanContext().spanId, CurrentWork.context().span?.spanId)
    await tracer.startActiveSpan('theirs', { kind: SpanKind.CLIENT }, async (span) => {
      await turn()
      span.setAttribute('a', 1).addEvent('e', { b: 2 }, new Date()).updateName('renamed')
      span.recordException(new Error('no'))
      span.setStatus({ code: SpanStatusCode.ERROR, message: 'no password=planted' })
      await traceWork('inner', () => turn())
      tracer.startSpan('by hand', { startTime: Date.now() - 5 }).end(Date.now())
      span.end()
    })
  })
  await tracing.close()
  const spans = new Map(spansIn(collector).map((span) => [span.name, span]))
  const [ours, theirs, inner, byHand] = ['ours', 'renamed', 'inner', 'by hand'].map((name) =>
    spans.get(name),
  )
  assert.equal(theirs?.parentSpanId, ours?.spanId)
  assert.equal(inner?.parentSpanId, theirs?.spanId)
  assert.equal(byHand?.parentSpanId, theirs?.spanId)
  assert.equal(theirs?.kind, 3)
  assert.deepEqual(attributesOf(theirs), { a: 1, 'error.type': 'Error' })
  assert.deepEqual(
    theirs.events?.map(({ name }) => name),
    ['e', 'exception'],
  )
  assert.equal(theirs.status?.message, 'no password=[redacted]')
  const durationMs =
    (BigInt(byHand?.endTimeUnixNano ?? 0) - BigInt(byHand?.startTimeUnixNano ?? 0)) / 1_000_000n
  assert.ok(durationMs >= 4n && durationMs < 1_000n, String(durationMs))
  const { resourceSpans } = decodeSpans(collector.posts[0]?.body.toString() ?? '')
  const scopes = resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.map(({ scope }) => scope.name),
  )
  assert.deepEqual(new Set(scopes), new Set(['framework', 'library']))
})

test('their contexts carry values, can be bound, and can be left', async (t) => {
  await served(t)
  const key = Symbol('key')
  await traceWork('ours', async () => {
    const outer = CurrentWork.context().span
    const bound = context.with(context.active().setValue(key, 5), () => {
      assert.equal(context.active().getValue(key), 5)
      assert.equal(CurrentWork.context().span, outer)
      return context.bind(context.active(), () => context.active().getValue(key))
    })
    assert.equal(context.active().getValue(key), undefined)
    assert.equal(bound(), 5)
    context.with(ROOT_CONTEXT, () => {
      assert.equal(trace.getActiveSpan(), undefined)
      assert.equal(CurrentWork.context().span, null)
    })
    assert.equal(CurrentWork.context().span, outer)
    const silent = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING')
    const suppressed = context.active().setValue(silent, true)
    assert.equal(trace.getTracer('x').startSpan('no', {}, suppressed).isRecording(), false)
  })
})

test('their propagator reads and writes the trace context', async (t) => {
  const { tracing, collector } = await served(t)
  const headers = {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    tracestate: 'congo=1',
  }
  const remote = propagation.extract(ROOT_CONTEXT, headers)
  const carrier: Record<string, string> = {}
  trace.getTracer('library').startActiveSpan('theirs', {}, remote, (span) => {
    propagation.inject(context.active(), carrier)
    span.end()
  })
  await tracing.close()
  const [span] = spansIn(collector)
  assert.equal(span?.parentSpanId, '00f067aa0ba902b7')
  assert.equal(carrier['traceparent'], `00-4bf92f3577b34da6a3ce929d0e0e4736-${span.spanId}-01`)
  assert.equal(carrier['tracestate'], 'congo=1')
})

test('afterwards nothing is left, and without the package nothing happens', async (t) => {
  const { tracing } = await served(t)
  serveOpenTelemetry(tracing, tmpdir())()
  // Another one is there: it stays.
  serveOpenTelemetry(tracing, import.meta.dirname)()
  assert.equal(trace.getTracer('x').startSpan('still').isRecording(), true)
})
