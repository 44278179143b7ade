import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytes, decimal, key, text, timestamp } from '../entity/column.ts'
import { entity } from '../entity/entity.ts'
import { changedAssignments } from './assignments.ts'
import { DistinctRows } from './distinct-rows.ts'

const Things = entity('things', {
  id: key.integer(),
  name: text().nullable(),
  price: decimal(),
  at: timestamp(),
  hash: bytes(),
})

function rowsBy(...properties: readonly string[]): (values: object) => void {
  const rows = new DistinctRows(
    Things,
    properties.map((property) => Things.column(property)),
  )
  return (values) => rows.add(changedAssignments(Things, values))
}

test('rows with equal values are the same row, however the values are written', () => {
  const same: readonly (readonly [string, unknown, unknown])[] = [
    ['price', '1.0', '1.00'],
    ['at', new Date(0), new Date(0)],
    ['hash', Uint8Array.of(1), Uint8Array.of(1)],
    ['id', 7, 7],
  ]
  for (const [property, one, other] of same) {
    const add = rowsBy(property)
    add({ [property]: one })
    assert.throws(() => add({ [property]: other }), {
      code: 'E_INVALID_ARGUMENT',
      message: new RegExp(`rows at 0 and 1 of the list have the same ${property}`),
    })
  }
})

test('rows that differ in one of the columns, or have NULL in one, are distinct', () => {
  const add = rowsBy('name', 'price')
  add({ name: 'a', price: '1.00' })
  add({ name: 'a', price: '1.01' })
  add({ name: 'b', price: '1.00' })
  add({ name: null, price: '1.00' })
  add({ name: null, price: '1.00' })
})
