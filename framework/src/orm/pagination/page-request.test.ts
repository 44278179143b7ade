import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../../tests/support/dialects.ts'
import { readEstimate } from './page-request.ts'

const estimates = [dialects.postgres, dialects.mariadb].map(({ estimate }) => {
  return estimate ?? assert.fail()
})

function estimated(row: unknown): readonly number[] {
  return estimates.map((estimate) => readEstimate({ rows: [row], affected: 1 }, estimate))
}

test('the estimate of PostgreSQL is the row count of its plan, parsed or as text', () => {
  const plan = [{ Plan: { 'Node Type': 'Seq Scan', 'Plan Rows': 1234 } }]
  assert.equal(estimated({ 'QUERY PLAN': plan })[0], 1234)
  assert.equal(estimated({ 'QUERY PLAN': JSON.stringify(plan) })[0], 1234)
})

test('the estimate of MariaDB is the part of the rows that its filter leaves', () => {
  assert.equal(estimated({ id: 1, rows: 2000n, filtered: 25 })[1], 500)
  assert.equal(estimated({ id: 1, rows: '2000', filtered: '25.00' })[1], 500)
  assert.equal(estimated({ id: 1, rows: 7 })[1], 7)
})

test('a plan without a row count is an estimate of 0', () => {
  for (const row of [{ id: 1, rows: null, filtered: null }, { 'QUERY PLAN': [] }, undefined]) {
    assert.deepEqual(estimated(row), [0, 0])
  }
})

test('a database whose planner gives no estimate has none', () => {
  assert.equal(dialects.sqlite.estimate, null)
})
