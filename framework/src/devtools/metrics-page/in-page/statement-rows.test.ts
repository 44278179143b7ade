import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementRows } from './statement-rows.ts'

test('a row has statement, caller, runs, mean and maximum', () => {
  const one = { statement: 'SELECT a', count: 1_200, total: 6, max: 0.25, caller: 'src/a.ts:7' }
  assert.deepEqual(statementRows({ statements: [one, { ...one, caller: null }] }), [
    {
      texts: ['SELECT a', 'src/a.ts:7', '1,200', '5.00 ms', '250 ms'],
      keys: ['SELECT a', 1_200, 0.005, 0.25],
    },
    {
      texts: ['SELECT a', '', '1,200', '5.00 ms', '250 ms'],
      keys: ['SELECT a', 1_200, 0.005, 0.25],
    },
  ])
})

test('what is no list of statements is told apart from an empty one', () => {
  assert.equal(statementRows('<html>'), null)
  assert.equal(statementRows({}), null)
  assert.deepEqual(statementRows({ statements: [] }), [])
  assert.deepEqual(statementRows({ statements: [null, { statement: 'x' }] }), [])
})
