import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineQuota } from './line-quota.ts'

const taken = (quota: LineQuota<string>, kind: string, source: string, times: number): number =>
  Array.from({ length: times }, () => quota.take(kind, source)).filter(Boolean).length

test('each kind and source has its own lines, and what is over them is counted', () => {
  const quota = new LineQuota({ lines: 3, sources: 10 })
  assert.equal(taken(quota, 'limit', 'a', 8), 3)
  assert.equal(taken(quota, 'limit', 'b', 3), 3)
  assert.equal(taken(quota, 'csrf', 'a', 4), 3)
  assert.deepEqual(quota.restart(), [
    { kind: 'limit', source: 'a', count: 5 },
    { kind: 'csrf', source: 'a', count: 1 },
  ])
})

test('a new window has all its lines again', () => {
  const quota = new LineQuota({ lines: 1, sources: 10 })
  assert.equal(taken(quota, 'limit', 'a', 2), 1)
  quota.restart()
  assert.equal(taken(quota, 'limit', 'a', 2), 1)
  assert.deepEqual(quota.restart(), [{ kind: 'limit', source: 'a', count: 1 }])
  assert.deepEqual(quota.restart(), [])
})

test('sources beyond the maximum share one allowance', () => {
  const quota = new LineQuota({ lines: 2, sources: 3 })
  let written = 0
  for (let source = 0; source < 10_000; source += 1) {
    written += taken(quota, 'limit', String(source), 1)
  }
  assert.equal(written, 3 + 2)
  assert.equal(taken(quota, 'limit', '0', 1), 1, 'a source that is known keeps its own')
  assert.deepEqual(quota.restart(), [{ kind: 'limit', source: 'others', count: 10_000 - 3 - 2 }])
})
