import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LabelCache } from './label-cache.ts'
import { createLabels } from './labels.ts'

test('equal labels at the same index are the same object', () => {
  const cache = new LabelCache()
  const once = cache.read()
  const first = once.next('jobs_total', { queue: 'mail', kind: 'slow' })
  const second = once.next('jobs_total', {})
  const again = cache.read()
  assert.equal(again.next('jobs_total', { kind: 'slow', queue: 'mail' }), first)
  assert.equal(again.next('jobs_total', {}), second)
})

test('validated labels are kept unchanged, and matched by equal labels from a file', () => {
  const cache = new LabelCache()
  const labels = createLabels({ queue: 'mail' })
  assert.equal(cache.read().next('jobs_total', labels), labels)
  assert.equal(cache.read().next('jobs_total', { queue: 'mail' }), labels)
})

test('labels that differ in a value, a name or their number are new ones', () => {
  const cache = new LabelCache()
  const once = cache.read()
  for (let at = 0; at < 4; at++) once.next('jobs_total', { queue: 'mail' })
  const again = cache.read()
  const others = [{ queue: 'web' }, { topic: 'mail' }, { queue: 'mail', kind: 'slow' }, {}]
  for (const labels of others) assert.deepEqual(again.next('jobs_total', labels), labels)
})

test('every metric has labels of its own', () => {
  const cache = new LabelCache()
  const jobs = cache.read().next('jobs_total', { queue: 'mail' })
  const again = cache.read()
  assert.notEqual(again.next('tasks_total', { queue: 'mail' }), jobs)
  assert.equal(again.next('jobs_total', { queue: 'mail' }), jobs)
})

test('invalid labels are rejected, and the following ones are correct', () => {
  const cache = new LabelCache()
  cache.read().next('jobs_total', { queue: 'mail' })
  const again = cache.read()
  assert.throws(() => again.next('jobs_total', { queue: 7 }), { code: 'E_METRIC_LABEL' })
  assert.deepEqual(again.next('jobs_total', { queue: 'mail' }), { queue: 'mail' })
})
