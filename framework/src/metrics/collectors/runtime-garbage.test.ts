import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { waitFor } from '../../../tests/support/wait-for.ts'
import { GarbageWatch } from './runtime.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function litter(): number {
  let objects = 0
  for (let at = 0; at < 100_000; at++) objects += [{ at }, { at }].length
  return objects
}

test('each collection is reported with kind and duration, and freed bytes are counted', async () => {
  const seen: [string, number][] = []
  const watch = new GarbageWatch((kind, seconds) => seen.push([kind, seconds]))
  try {
    assert.equal(litter(), 200_000)
    collectGarbage()
    await waitFor('a major collection', () => seen.some(([kind]) => kind === 'major'))
    for (const [kind, seconds] of seen) {
      assert.ok(GarbageWatch.kinds.includes(kind), kind)
      assert.ok(seconds >= 0 && seconds < 10)
    }
    const bytes = watch.collectedBytes()
    assert.ok(bytes > 1_000, String(bytes))
    assert.ok(watch.collectedBytes() >= bytes)
  } finally {
    watch.close()
  }
})

test('a closed watch hears nothing more, and its number stays', async () => {
  let heard = 0
  const watch = new GarbageWatch(() => void heard++)
  watch.close()
  const bytes = watch.collectedBytes()
  const control = { heard: 0 }
  const other = new GarbageWatch(() => void control.heard++)
  litter()
  collectGarbage()
  await waitFor('the other watch', () => control.heard > 0)
  other.close()
  assert.equal(heard, 0)
  assert.equal(watch.collectedBytes(), bytes)
})
