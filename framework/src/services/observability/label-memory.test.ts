import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LabelMemory } from './label-memory.ts'
import { createLabels } from './labels.ts'

test('labels that come again at the same place are the same object', () => {
  const memory = new LabelMemory()
  const once = memory.read()
  const first = once.next('jobs_total', { queue: 'mail', kind: 'slow' })
  const second = once.next('jobs_total', {})
  const again = memory.read()
  assert.equal(again.next('jobs_total', { kind: 'slow', queue: 'mail' }), first)
  assert.equal(again.next('jobs_total', {}), second)
})

test('labels that were checked elsewhere are kept as they are, and found again by what a file says', () => {
  const memory = new LabelMemory()
  const labels = createLabels({ queue: 'mail' })
  assert.equal(memory.read().next('jobs_total', labels), labels)
  assert.equal(memory.read().next('jobs_total', { queue: 'mail' }), labels)
})

test('labels that differ in a value, a name or their number are new ones', () => {
  const memory = new LabelMemory()
  const once = memory.read()
  for (let at = 0; at < 4; at++) once.next('jobs_total', { queue: 'mail' })
  const again = memory.read()
  const others = [{ queue: 'web' }, { topic: 'mail' }, { queue: 'mail', kind: 'slow' }, {}]
  for (const labels of others) assert.deepEqual(again.next('jobs_total', labels), labels)
})

test('every metric has labels of its own', () => {
  const memory = new LabelMemory()
  const jobs = memory.read().next('jobs_total', { queue: 'mail' })
  const again = memory.read()
  assert.notEqual(again.next('tasks_total', { queue: 'mail' }), jobs)
  assert.equal(again.next('jobs_total', { queue: 'mail' }), jobs)
})

test('labels that cannot be used are refused, and what comes after them is right', () => {
  const memory = new LabelMemory()
  memory.read().next('jobs_total', { queue: 'mail' })
  const again = memory.read()
  assert.throws(() => again.next('jobs_total', { queue: 7 }), { code: 'E_METRIC_LABEL' })
  assert.deepEqual(again.next('jobs_total', { queue: 'mail' }), { queue: 'mail' })
})
