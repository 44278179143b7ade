import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSpans } from '../../../tests/support/decode-otlp.ts'
import type { OtlpSpan } from '../../../tests/support/decode-otlp.ts'
import { fromEpochMs } from '../epoch-clock.ts'
import { LocalTrace } from '../local-trace.ts'
import { SpanId } from '../span-ids.ts'
import { SpanBatch } from './span-batch.ts'
import { SpanTable } from './span-table.ts'

const sink = { keep() {}, lose() {}, refuse() {} }

interface Row {
  readonly scope?: string
  readonly trace?: LocalTrace
  readonly id?: SpanId
  readonly parent?: SpanId | null
  readonly startMs?: number
  readonly endMs?: number
  readonly rest?: string | Uint8Array
}

function batchOf(rows: readonly Row[]): SpanBatch {
  const table = new SpanTable(rows.length)
  for (const { scope = 'framework', trace, id, parent = null, startMs = 1, ...row } of rows) {
    const { endMs = 2, rest = ',"name":"a","kind":1}' } = row
    const own = trace ?? new LocalTrace(sink, null)
    table.add(scope, own, id ?? SpanId.random(), parent, startMs, endMs, rest)
  }
  const batch = new SpanBatch('{}')
  for (let row = 0; row < table.size; row += 1) batch.add(table, row)
  return batch
}

function scopesOf(batch: SpanBatch): { scope: string; spans: readonly OtlpSpan[] }[] {
  return decodeSpans(batch.end().toString()).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.map(({ scope, spans }) => ({ scope: scope?.name ?? '', spans })),
  )
}

function spansOf(rows: readonly Row[]): OtlpSpan[] {
  return scopesOf(batchOf(rows)).flatMap(({ spans }) => spans)
}

test('ids are those that everybody else sees, noughts in front included', () => {
  const remote = {
    traceId: '00000001ffffffff80000000000000ab',
    spanId: '0000000000000001',
    sampled: true,
    random: true,
    state: '',
  }
  const here = new LocalTrace(sink, null)
  const id = SpanId.of('00ab000000000f00')
  const own = SpanId.random()
  const [first, second] = spansOf([
    { trace: new LocalTrace(sink, remote), id, parent: SpanId.of(remote.spanId) },
    { trace: here, id: own },
  ])
  assert.equal(first?.traceId, remote.traceId)
  assert.equal(first?.spanId, '00ab000000000f00')
  assert.equal(first?.parentSpanId, remote.spanId)
  assert.equal(second?.traceId, here.traceId)
  assert.equal(second?.spanId, own.text)
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
    batchOf([{ scope: 'a' }, { scope: 'a' }, { scope: 'b"' }, { scope: 'a' }]),
  ).map(({ scope, spans }) => `${scope} ${spans.length}`)
  assert.deepEqual(names, ['a 2', 'b" 1', 'a 1'])
  assert.deepEqual(scopesOf(new SpanBatch('{}')), [])
})

test('a batch grows with its spans, and their texts stay what they are', () => {
  const names = Array.from({ length: 300 }, (_, at) => `${at} ${'€ü𝄞x'.repeat(at)}`)
  const rows = names.map((name, at) => {
    const rest = `,"name":${JSON.stringify(name)},"kind":1}`
    return { rest: at % 2 === 0 ? rest : Buffer.from(rest) }
  })
  assert.deepEqual(
    spansOf(rows).map(({ name }) => name),
    names,
  )
})

test('the memory of a batch is used again, and nothing of its spans is left', () => {
  const old = batchOf([{ rest: `,"name":"${'x'.repeat(10_000)}","kind":1}` }])
  old.end()
  const memory = old.release()
  const batch = new SpanBatch('{}', memory)
  assert.deepEqual(scopesOf(batch), [])
  assert.equal(batch.release(), memory)
})

test('a batch with a million bytes takes no more, and its memory is given back', () => {
  const batch = batchOf([{ rest: `,"name":"${'x'.repeat(1_100_000)}","kind":1}` }])
  assert.equal(batch.isTooLong, true)
  assert.equal(batch.release(), null)
})
