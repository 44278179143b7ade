import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../../base/errors.ts'
import { Nulls, Orders } from '../../database/sql/plan/operators.ts'
import type { Ordering } from '../../database/sql/plan/select-plan.ts'
import { bytes, json, key, text } from '../entity/column.ts'
import { completeOrder, refuseUnwalkable, reversedOrder } from './complete-order.ts'
import { entity } from '../entity/entity.ts'

const People = entity('people', {
  id: key.integer(),
  name: text(),
  city: text(),
  nick: text().nullable(),
  papers: json(),
  photo: bytes(),
})

function by(property: string, order: Orders = Orders.Asc, nulls: Nulls | null = null): Ordering {
  return { column: People.column(property), order, nulls }
}

test('the key is appended in the direction of the last column, ascending without one', () => {
  assert.deepEqual(completeOrder([], People), [by('id')])
  assert.deepEqual(completeOrder([by('name')], People), [by('name'), by('id')])
  const newest = by('name', Orders.Desc)
  assert.deepEqual(completeOrder([newest], People), [newest, by('id', Orders.Desc)])
  assert.deepEqual(completeOrder([newest, by('city')], People), [newest, by('city'), by('id')])
  // The second order of a column has no effect.
  assert.deepEqual(completeOrder([by('name'), newest], People), [by('name'), by('id')])
})

test('a key that is already part of the order stays where it is', () => {
  const byKey = by('id', Orders.Desc)
  assert.deepEqual(completeOrder([byKey], People), [byKey])
  assert.deepEqual(completeOrder([by('name'), byKey], People), [by('name'), byKey])
})

test('repeated columns, and all columns after the key, are dropped', () => {
  const given = [by('name'), by('name', Orders.Desc), by('id', Orders.Desc), by('city')]
  assert.deepEqual(completeOrder(given, People), [by('name'), by('id', Orders.Desc)])
})

test('a reversed order reverses every direction', () => {
  assert.deepEqual(reversedOrder([by('name'), by('id', Orders.Desc)]), [
    by('name', Orders.Desc),
    by('id'),
  ])
})

test('nullable columns, nulls first or last, JSON and bytes are not supported by cursors', () => {
  refuseUnwalkable([by('name'), by('id', Orders.Desc)], People)
  const bad = [by('nick'), by('name', Orders.Asc, Nulls.First), by('name', Orders.Asc, Nulls.Last)]
  for (const ordering of [...bad, by('papers'), by('photo')]) {
    assert.throws(
      () => refuseUnwalkable([by('city'), ordering], People),
      (error) =>
        error instanceof InvalidArgumentException &&
        error.code === 'E_CURSOR_ORDER' &&
        error.message.includes(`people.${ordering.column.name}`),
    )
  }
})
