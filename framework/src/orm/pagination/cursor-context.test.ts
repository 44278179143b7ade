import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../../tests/support/dialects.ts'
import { Matches, Operators, Orders } from '../../database/sql/plan/operators.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { bigint, key, text, timestamp } from '../entity/column.ts'
import { completeOrder } from './complete-order.ts'
import { cursorContext } from './cursor-context.ts'
import { entity } from '../entity/entity.ts'
import { Selection } from '../selection.ts'
import type { OrderKind } from '../selection.ts'

const People = entity('people', {
  id: key.integer(),
  name: text(),
  born: timestamp(),
  points: bigint(),
})
type People = typeof People

const select = (): Selection<People> => new Selection(People)

function contextOf(selection: Selection<People, unknown, OrderKind>): string {
  const plan = selection.plan()
  return cursorContext(plan, completeOrder(plan.orderings, People), dialects.sqlite)
}

test('every order and every filter has a different context', () => {
  const selections = [
    select(),
    select().order(Orders.Asc, 'name'),
    select().order(Orders.Desc, 'name'),
    select().order(Orders.Asc, 'born').order(Orders.Asc, 'name'),
    select().order(Orders.Desc, 'id'),
    select().filter('name', Operators.Equal, 'Bob'),
    select().filter('name', Operators.Equal, 'bob'),
    select().filter('name', Operators.Unequal, 'Bob'),
    select().filter('id', Operators.Equal, 7),
    select().filter('points', Operators.Equal, 7n),
    select().filter('points', Operators.Equal, 8n),
    select().filter('born', Operators.Less, new Date(0)),
    select().filter('born', Operators.Less, new Date(1)),
    select().filter('id', Operators.In, [1, 2]),
    select().filter('id', Operators.In, [1, 2, 3]),
    select().match('name', Matches.Contains, 'b'),
    select().match('name', Matches.StartsWith, 'b'),
    select().where(sql`id = ${7}`),
    select().where(sql`id = ${'7'}`),
    select().where(sql`id = ${7n}`),
    select().where(sql`id = ${new Uint8Array([7])}`),
    select().where(sql`id = ${new Date(7)}`),
    select().where(sql`id = ${null}`),
    select().where(sql`id = ${true}`),
    select().either((branch) => branch.filter('id', Operators.Equal, 7)),
  ]
  assert.equal(new Set(selections.map(contextOf)).size, selections.length)
})

test('the same order and filters have the same context, whatever else differs', () => {
  const narrowed = (): Selection<People> => select().filter('id', Operators.Greater, 7)
  assert.equal(contextOf(narrowed()), contextOf(narrowed().lock().order(Orders.Asc, 'id')))
})

test('a value that no database supports is rejected', () => {
  assert.throws(() => contextOf(select().where(sql`id = ${{}}`)), { code: 'E_INVALID_ARGUMENT' })
})
