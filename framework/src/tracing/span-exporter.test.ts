import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { systemClock } from '../otlp/deliver.ts'
import { answer, startCollector } from '../../tests/support/fake-collector.ts'
import type { Answering, FakeCollector } from '../../tests/support/fake-collector.ts'
import { sampleTracing } from '../../tests/support/sample-tracing.ts'
import { spansIn } from '../../tests/support/spans-in.ts'
import { waitFor } from '../../tests/support/wait-for.ts'
import { createTracing } from './tracing.ts'
import type { OtlpAttribute } from './otlp-span.ts'
import { SpanKinds } from './span.ts'
import type { Tracing } from './tracing.ts'
import { spanCounts } from './span-metrics.ts'

/** Batches of two, four may wait; the clock stands still, and each rest lasts until the test ends it. */
class Export {
  readonly tracing: Tracing
  readonly collector: FakeCollector
  readonly rests: number[] = []
  nowMs = 1_000_000
  #endRest: (() => void) | null = null

  constructor(collector: FakeCollector) {
    this.collector = collector
    this.tracing = createTracing({
      ...sampleTracing,
      endpoint: collector.url,
      sampler: 'always_on',
      maxBatch: 2,
      maxQueue: 4,
      delayMs: 1,
      clock: {
        ...systemClock,
        now: () => this.nowMs,
        sleep: (ms, signal) => this.#rest(ms, signal),
      },
    }).start()
  }

  /** Waits until the exporter rests for the given time since the start. */
  async resting(times: number): Promise<void> {
    await waitFor(`rest ${times}`, () => this.rests.length === times && this.#endRest !== null)
  }

  /** Ends the rest, and waits for the next. */
  async nextRest(): Promise<void> {
    const times = this.rests.length + 1
    this.endRest()
    await this.resting(times)
  }

  endRest(): void {
    const end = this.#endRest
    this.#endRest = null
    end?.()
  }

  /** Which of these requests are recorded. */
  requests(...names: readonly string[]): string[] {
    const recorded: string[] = []
    for (const name of names) {
      const root = this.tracing.requestRoot(name)
      if (root !== null) recorded.push(name)
      root?.end()
    }
    return recorded
  }

  get received(): string {
    return spansIn(this.collector)
      .map(({ name }) => name)
      .join(' ')
  }

  #rest(ms: number, signal: AbortSignal): Promise<void> {
    this.rests.push(ms)
    return new Promise((resolve) => {
      this.#endRest = resolve
      signal.addEventListener('abort', () => resolve())
      if (signal.aborted) resolve()
    })
  }
}

async function startExport(t: TestContext, ...answers: readonly Answering[]): Promise<Export> {
  const [first = answer(200), ...rest] = answers
  const started = new Export(await startCollector(t, first, ...rest))
  t.after(() => started.tracing.close())
  return started
}

/** Lets the time pass only when somebody asks for it. */
function stepTime(t: TestContext, stepMs: number): void {
  // A whole number: where its exponent changes, as after 65.536 s, the difference to a fraction is not exact.
  let nowMs = Math.ceil(performance.now())
  t.mock.method(performance, 'now', () => (nowMs += stepMs))
}

test('it rests after every batch, even if no other waits', async (t) => {
  const exporting = await startExport(t)
  exporting.requests('a', 'b')
  await exporting.resting(1)
  assert.ok((exporting.rests[0] ?? 0) > 0, 'it is told to rest for no time')
  exporting.requests('c', 'd')
  // The rest is not over: the next batch has to wait, however often the exporter gets its turn.
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate)
  assert.equal(exporting.received, 'a b')
  await exporting.nextRest()
  assert.equal(exporting.received, 'a b c d')
  exporting.endRest()
  exporting.requests('e')
  await exporting.resting(3)
  assert.equal(exporting.received, 'a b c d e')
})

for (const { what, encodedMs, sentMs, restMs } of [
  { what: 'it lasts a hundred times as long as encoding', encodedMs: 5, sentMs: 0, restMs: 500 },
  { what: 'what sending takes is part of it', encodedMs: 5, sentMs: 200, restMs: 300 },
  { what: 'after a slow collector there is none', encodedMs: 5, sentMs: 5_000, restMs: 0 },
  { what: 'a clock that is set back prolongs it not', encodedMs: 5, sentMs: -3.6e6, restMs: 500 },
  { what: 'nor does a suspended process', encodedMs: 60_000, sentMs: 0, restMs: 10_000 },
]) {
  test(`the rest after a batch: ${what}`, async (t) => {
    stepTime(t, encodedMs)
    const exporting = await startExport(t, (response, post) => {
      exporting.nowMs += sentMs
      answer(200)(response, post)
    })
    exporting.requests('a', 'b')
    await exporting.resting(1)
    assert.deepEqual(exporting.rests, [restMs])
  })
}

test('spans that are encoded already wait only for so many bytes', async (t) => {
  const collector = await startCollector(t, answer(200))
  const tracing = createTracing({ ...sampleTracing, endpoint: collector.url, maxBatch: 1 })
  t.after(() => tracing.close())
  const before = spanCounts.overflowed
  const attributes = Array.from({ length: 128 }, (_, at) => [`a${at}`, 'x'.repeat(4_096)] as const)
  const record = (): void => {
    const root = tracing.root('large', { kind: SpanKinds.Internal })
    for (const [name, value] of attributes) root.setAttribute(name, value)
    root.end()
  }
  // Each has half a million bytes; nothing is sent before the end of this turn.
  for (let count = 0; count < 40; count += 1) record()
  assert.equal(spanCounts.overflowed - before, 8)
  await tracing.close()
  assert.equal(spansIn(collector).length, 32)
})

test('a span that cannot be encoded is lost alone, and told', async (t) => {
  const collector = await startCollector(t, answer(200))
  const told: unknown[] = []
  const tracing = createTracing({
    ...sampleTracing,
    endpoint: collector.url,
    told: (text, { reason }) => void told.push([text, reason]),
  })
  const before = spanCounts.refused
  for (const name of ['good', 'bad', 'good too']) {
    const root = tracing.root(name, { kind: SpanKinds.Internal })
    const attributes = (): readonly OtlpAttribute[] => {
      if (name === 'bad') throw new Error('odd')
      return []
    }
    root.end(undefined, { name, key: name, attributes })
  }
  await tracing.close()
  assert.deepEqual(
    spansIn(collector).map(({ name }) => name),
    ['good', 'good too'],
  )
  assert.equal(spanCounts.refused - before, 1)
  assert.deepEqual(told[0], ['spans could not be exported', 'odd'])
})

test('a burst fills the queue; then one batch waits until less comes', async (t) => {
  const exporting = await startExport(t)
  const before = spanCounts.overflowed
  exporting.requests('a', 'b')
  await exporting.resting(1)
  // Four may wait. From then on more comes than is exported.
  assert.deepEqual(exporting.requests('c', 'd', 'e', 'f', 'g'), ['c', 'd', 'e', 'f'])
  await exporting.nextRest()
  assert.equal(exporting.received, 'a b c d')
  // A batch waits already.
  assert.deepEqual(exporting.requests('h'), [])
  await exporting.nextRest()
  assert.deepEqual(exporting.requests('i', 'j', 'k'), ['i', 'j'])
  assert.equal(spanCounts.overflowed - before, 3)
  await exporting.nextRest()
  assert.equal(exporting.received, 'a b c d e f i j')
  // This rest ends with less than a batch, so the next burst may fill the queue again.
  assert.deepEqual(exporting.requests('l'), ['l'])
  await exporting.nextRest()
  assert.deepEqual(exporting.requests('m', 'n', 'o', 'p', 'q'), ['m', 'n', 'o', 'p'])
})

test('a request that runs already keeps its spans while one batch waits', async (t) => {
  const exporting = await startExport(t)
  const before = spanCounts.overflowed
  exporting.requests('a', 'b')
  await exporting.resting(1)
  const running = exporting.tracing.requestRoot('running')
  assert.equal(exporting.requests('c', 'd', 'e', 'f').length, 4)
  await exporting.nextRest()
  running?.end()
  assert.equal(spanCounts.overflowed, before)
  await exporting.tracing.close()
  assert.equal(exporting.received, 'a b c d e f running')
})

test('a batch that waits for its retry is sent once more before the process ends', async (t) => {
  const busy = answer(503, { 'retry-after': '3' })
  const exporting = await startExport(t, busy, answer(200))
  const before = { ...spanCounts }
  exporting.requests('a', 'b')
  await exporting.resting(1)
  exporting.requests('c')
  await exporting.tracing.close()
  assert.equal(exporting.received, 'a b a b c')
  assert.equal(spanCounts.exported - before.exported, 3)
  assert.equal(spanCounts.refused - before.refused, 0)
})

test('a collector that stays busy gets a batch once more when the process ends, not more often', async (t) => {
  const busy = answer(503, { 'retry-after': '3' })
  const exporting = await startExport(t, busy)
  const before = spanCounts.refused
  exporting.requests('a', 'b')
  await exporting.resting(1)
  await exporting.tracing.close()
  assert.equal(exporting.received, 'a b a b')
  assert.equal(spanCounts.refused - before, 2)
})

test('closing does not wait for the rest', async (t) => {
  const exporting = await startExport(t)
  exporting.requests('a', 'b')
  await exporting.resting(1)
  exporting.requests('c', 'd', 'e')
  await exporting.tracing.close()
  assert.equal(exporting.received, 'a b c d e')
})
