import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelCache } from './label-cache.ts'

test('equal labels are the same object, sorted', () => {
  const read = labelCache()
  const first = read({ queue: 'mail', kind: 'slow' })
  assert.deepEqual(Object.entries(first ?? {}), [
    ['kind', 'slow'],
    ['queue', 'mail'],
  ])
  assert.equal(read({ queue: 'mail', kind: 'slow' }), first)
  assert.equal(read({}), read({}))
})

test('labels that differ in a value, a name or their number are others', () => {
  const read = labelCache()
  const first = read({ queue: 'mail' })
  for (const labels of [{ queue: 'web' }, { topic: 'mail' }, { queue: 'mail', kind: 'slow' }, {}]) {
    assert.deepEqual(read(labels), labels)
    assert.notEqual(read(labels), first)
  }
})

test('what is not valid is null, also beside labels that are', () => {
  const read = labelCache()
  assert.deepEqual(read({ queue: '7' }), { queue: '7' })
  for (const given of [{ queue: 7 }, { '7': 'x' }, null, 'x', ['x']])
    assert.equal(read(given), null)
  assert.deepEqual(read({ queue: '7' }), { queue: '7' })
})
