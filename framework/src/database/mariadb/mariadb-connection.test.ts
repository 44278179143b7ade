import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toResult } from './mariadb-connection.ts'

test('rows are the result of a select, counted as read', () => {
  const rows = listOf({ id: 1 }, { id: 2 })
  assert.deepEqual(toResult(rows), { rows, affected: 2 })
})

test('a select without rows has an empty list', () => {
  assert.equal(toResult(listOf()).rows.length, 0)
})

test('a change has the number of its rows', () => {
  const changed = { affectedRows: 3, insertId: 7n, warningStatus: 0 }
  assert.deepEqual(toResult(changed), { rows: [], affected: 3 })
})

test('a procedure that selects several times has its first rows', () => {
  const [first, second] = [listOf([1]), listOf([2], [3])]
  assert.deepEqual(toResult([first, second, { affectedRows: 0 }]), { rows: first, affected: 1 })
})

test('a procedure that selects nothing has the row count of its end', () => {
  assert.deepEqual(toResult([{ affectedRows: 1 }, { affectedRows: 2 }]), { rows: [], affected: 2 })
})

/** The driver adds the columns to a list of rows. */
function listOf(...rows: readonly unknown[]): readonly unknown[] {
  return Object.assign([...rows], { meta: [] })
}
