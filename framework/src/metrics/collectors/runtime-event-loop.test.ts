import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventLoopWatch } from './runtime.ts'

function block(milliseconds: number): void {
  const endMs = performance.now() + milliseconds
  while (performance.now() < endMs);
}

test('a blocked event loop shows as lag and as work', async () => {
  const startMs = performance.now()
  const watch = new EventLoopWatch()
  try {
    await sleep(50)
    block(150)
    await sleep(50)
    const { mean, p99, max, utilization } = watch.read()
    const worked = 150 / (performance.now() - startMs)
    assert.ok(max > 0.1, `max ${max}`)
    assert.ok(p99 > 0.1 && p99 <= max + 0.01, `p99 ${p99}`)
    assert.ok(mean > 0 && mean < max, `mean ${mean}`)
    assert.ok(utilization > worked / 2 && utilization <= 1, `utilization ${utilization}`)
  } finally {
    watch.close()
  }
})

test('reads within a second return the same figures, later ones the figures since then', async () => {
  let nowMs = 5_000
  const watch = new EventLoopWatch(() => nowMs)
  try {
    await sleep(50)
    block(150)
    await sleep(50)
    const first = watch.read()
    nowMs += 999
    assert.equal(watch.read(), first)
    nowMs += 1
    const second = watch.read()
    assert.notEqual(second, first)
    assert.ok(second.max < first.max)
  } finally {
    watch.close()
  }
})

test('before the first look at the clock nothing is late', () => {
  const watch = new EventLoopWatch()
  const { mean, p99, max } = watch.read()
  watch.close()
  assert.deepEqual({ mean, p99, max }, { mean: 0, p99: 0, max: 0 })
})
