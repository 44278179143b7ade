import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSpans } from '../../tests/support/decode-otlp.ts'
import type { OtlpSpan } from '../../tests/support/decode-otlp.ts'
import { fromEpochMs } from './epoch-clock.ts'
import { LocalTrace } from './local-trace.ts'
import { descriptionJson } from './otlp-span.ts'
import { SpanBatch } from './span-batch.ts'
import { newSpanId } from './span-ids.ts'
import { SpanKinds } from './span.ts'

interface Sample {
  readonly library?: string
  readonly traceId?: string
  readonly spanId?: string
  readonly parentId?: string
  readonly startMs?: number
  readonly endMs?: number
  readonly name?: string
}

function batchOf(samples: readonly Sample[]): SpanBatch {
  const batch = new SpanBatch('{}')
  for (const { library = 'framework', startMs = 1, endMs = 2, name = 'a', ...ids } of samples) {
    const { traceId = 'ab'.repeat(16), spanId = newSpanId(), parentId } = ids
    const description = descriptionJson({ name, kind: SpanKinds.Internal, attributes: [] })
    batch.add({ library, traceId, spanId, parentSpanId: parentId, startMs, endMs, description })
  }
  return batch
}

function scopesOf(batch: SpanBatch): { scope: string; spans: readonly OtlpSpan[] }[] {
  return decodeSpans(batch.end().toString()).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.map(({ scope, spans }) => ({ scope: scope?.name ?? '', spans })),
  )
}

function spansOf(samples: readonly Sample[]): OtlpSpan[] {
  return scopesOf(batchOf(samples)).flatMap(({ spans }) => spans)
}

test('ids are those that everybody else sees, leading zeros included', () => {
  const remote = {
    traceId: '00000001ffffffff80000000000000ab',
    spanId: '0000000000000001',
    sampled: true,
    random: true,
    state: '',
  }
  const sink = { enqueue() {}, countDropped() {}, countFailed() {} }
  const { traceId } = new LocalTrace(sink, remote)
  const own = new LocalTrace(sink, null).traceId
  const spanId = newSpanId()
  const [first, second] = spansOf([
    { traceId, spanId: '00ab000000000f00', parentId: remote.spanId },
    { traceId: own, spanId },
  ])
  assert.equal(first?.traceId, remote.traceId)
  assert.equal(first?.spanId, '00ab000000000f00')
  assert.equal(first?.parentSpanId, remote.spanId)
  assert.equal(second?.traceId, own)
  assert.equal(second?.spanId, spanId)
  assert.equal(second?.parentSpanId, undefined)
})

test('times are epoch nanoseconds, to the digit', () => {
  for (const [epochMs, nano] of [
    [1_800_000_000_000, 1_800_000_000_000_000_000n],
    [1_800_000_000_000.25, 1_800_000_000_000_250_000n],
    [1_800_000_000_007.5, 1_800_000_000_007_500_000n],
    [1_800_000_000_999.75, 1_800_000_000_999_750_000n],
    [1_800_000_001_000, 1_800_000_001_000_000_000n],
    [1_000_000_000_000, 1_000_000_000_000_000_000n],
  ] as const) {
    // Process times have few digits behind the milliseconds.
    const startMs = fromEpochMs(epochMs)
    const [span] = spansOf([{ startMs, endMs: startMs + 1 }])
    const off = BigInt(span?.startTimeUnixNano ?? 0) - nano
    assert.ok(off > -1_000n && off < 1_000n, `${epochMs}: ${span?.startTimeUnixNano}`)
    const took = BigInt(span?.endTimeUnixNano ?? 0) - BigInt(span?.startTimeUnixNano ?? 0)
    assert.ok(took > 999_000n && took < 1_001_000n, `${epochMs}: ${took}`)
    assert.match(span?.startTimeUnixNano ?? '', /^\d{19}$/)
  }
})

test('a time that is none, or beyond all calendars, spoils no batch', () => {
  for (const [ms, nano] of [
    [Number.NaN, 1_000_000_000_000_000_000n],
    [Number.NEGATIVE_INFINITY, 1_000_000_000_000_000_000n],
    [-1e300, 1_000_000_000_000_000_000n],
    [1e300, 9_999_999_999_999_000_000n],
    [Number.POSITIVE_INFINITY, 9_999_999_999_999_000_000n],
  ] as const) {
    const spans = spansOf([{ startMs: ms, endMs: ms }, {}])
    assert.equal(spans.length, 2)
    assert.equal(BigInt(spans[0]?.startTimeUnixNano ?? 1), nano)
    assert.equal(BigInt(spans[0]?.endTimeUnixNano ?? 1), nano)
  }
})

test('spans of one library that follow each other are in one list', () => {
  const names = scopesOf(
    batchOf([{ library: 'a' }, { library: 'a' }, { library: 'b"' }, { library: 'a' }]),
  ).map(({ scope, spans }) => `${scope} ${spans.length}`)
  assert.deepEqual(names, ['a 2', 'b" 1', 'a 1'])
  assert.deepEqual(scopesOf(new SpanBatch('{}')), [])
})

test('a batch grows with its spans, and their texts stay what they are', () => {
  const names = Array.from({ length: 300 }, (_, at) => `${at} ${'€ü𝄞x'.repeat(at)}`)
  assert.deepEqual(
    spansOf(names.map((name) => ({ name }))).map(({ name }) => name),
    names,
  )
})

test('a batch with a million bytes takes no more, however few spans it has', () => {
  const large = Array.from({ length: 256 }, () => ({ name: 'x'.repeat(4_096) }))
  assert.equal(batchOf(large).isTooLong, true)
  assert.equal(batchOf(large.slice(0, 128)).isTooLong, false)
})
