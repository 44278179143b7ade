import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEstimate } from './read-estimate.ts'

const estimate = (row: unknown): number => readEstimate({ rows: [row], affected: 1 })

test('the estimate of PostgreSQL is the row count of its plan, parsed or as text', () => {
  const plan = [{ Plan: { 'Node Type': 'Seq Scan', 'Plan Rows': 1234 } }]
  assert.equal(estimate({ 'QUERY PLAN': plan }), 1234)
  assert.equal(estimate({ 'QUERY PLAN': JSON.stringify(plan) }), 1234)
})

test('the estimate of MariaDB is the part of the rows that its filter leaves', () => {
  assert.equal(estimate({ id: 1, rows: 2000n, filtered: 25 }), 500)
  assert.equal(estimate({ id: 1, rows: '2000', filtered: '25.00' }), 500)
  assert.equal(estimate({ id: 1, rows: 7 }), 7)
})

test('a plan that speaks of no rows is an estimate of none', () => {
  assert.equal(estimate({ id: 1, rows: null, filtered: null }), 0)
  assert.equal(estimate({ 'QUERY PLAN': [] }), 0)
  assert.equal(readEstimate({ rows: [], affected: 0 }), 0)
})
