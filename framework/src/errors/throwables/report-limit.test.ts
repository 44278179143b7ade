import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReportCounts } from './report-limit.ts'

test('at most 1,000 windows are kept, the most recently started ones', () => {
  const counts = new ReportCounts(() => 0)
  const limit = { max: 1, window: 60 }
  const at = (line: number): Error => {
    const error = new Error('x')
    error.stack = `Error: x\n    at /app/a.ts:${line}:1`
    return error
  }
  for (let line = 1; line <= 1_001; line += 1) assert.equal(counts.admit(at(line), limit), 0)
  assert.equal(counts.admit(at(1_001), limit), null)
  assert.equal(counts.admit(at(2), limit), null)
  assert.equal(counts.admit(at(1), limit), 0, 'the first was forgotten')
})
