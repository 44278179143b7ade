import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecretKey, randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { dialects } from '../../../tests/support/dialects.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { Matches, Operators, Orders } from '../../database/sql/plan/operators.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { bigint, key, text, timestamp } from '../entity/column.ts'
import { entity } from '../entity/entity.ts'
import { Selection } from '../selection.ts'
import type { OrderKind } from '../selection.ts'
import { cursorContext, decodeCursor, encodeCursor, signCursor, verifyCursor } from './cursor.ts'
import { completeOrder } from './complete-order.ts'

const isCursorError = (error: unknown): boolean =>
  error instanceof InvalidArgumentException && error.code === 'E_CURSOR'

const tokenOf = (text: string | Uint8Array): string => Buffer.from(text).toString('base64url')

test('a token is the unpadded base64url of the JSON list of values', () => {
  assert.equal(encodeCursor(['Bob', 7]), 'WyJCb2IiLDdd')
  assert.deepEqual(decodeCursor('WyJCb2IiLDdd', 2), ['Bob', 7])
})

test('a bigint is written as its digits', () => {
  const token = encodeCursor([9007199254740993n])
  assert.deepEqual(decodeCursor(token, 1), ['9007199254740993'])
})

test('encode rejects null and anything that is not a scalar', () => {
  const bad = [null, undefined, {}, [], new Date(), new String('x'), Symbol('x'), () => 1]
  for (const value of [...bad, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => encodeCursor(['Bob', value]), isCursorError)
  }
  assert.throws(() => encodeCursor([]), isCursorError)
  // oxlint-disable-next-line no-sparse-arrays
  assert.throws(() => encodeCursor([, 1]), isCursorError)
})

test('decode returns what was encoded', () => {
  const scalar = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.integer(),
    fc.boolean(),
  )
  fc.assert(
    fc.property(fc.array(scalar, { minLength: 1, maxLength: 5 }), (values) => {
      assert.deepEqual(decodeCursor(encodeCursor(values), values.length), values)
    }),
  )
})

test('a token with a wrong number of values is rejected', () => {
  assert.throws(() => decodeCursor(encodeCursor(['Bob', 7]), 1), isCursorError)
  assert.throws(() => decodeCursor(encodeCursor(['Bob', 7]), 3), isCursorError)
})

test('a token that is not a list of scalars is rejected', () => {
  const texts = ['', '{}', '"Bob"', '7', 'null', '[]', '[null]', '[[7]]', '[{"a":1}]', '[7', 'x']
  for (const text of texts) {
    for (const arity of [1, 2])
      assert.throws(() => decodeCursor(tokenOf(text), arity), isCursorError)
  }
  assert.throws(() => decodeCursor(tokenOf('['.repeat(100_000)), 1), isCursorError)
})

test('a token that encode would not produce is rejected, even if it could be parsed', () => {
  const tokens = {
    padding: 'WyJCb2IiLDdd=',
    'a stray character': 'WyJCb2I!iLDdd',
    'a line break': 'WyJCb2IiLDdd\n',
    'the other alphabet': Buffer.from('["ÿÿ>",7]').toString('base64'),
    'stray bits at the end': `${tokenOf('["a",7]').slice(0, -1)}R`,
    blanks: tokenOf('["Bob", 7]'),
    'a number in another form': tokenOf('["Bob",7.0]'),
    'a negative zero': tokenOf('["Bob",-0]'),
    'digits that a double cannot hold': tokenOf('["Bob",9007199254740993]'),
    'a number beyond a double': tokenOf('["Bob",1e999]'),
    'a needless escape': tokenOf('["\\u0042ob",7]'),
    'broken UTF-8': tokenOf(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x2c, 0x37, 0x5d])),
  }
  for (const [flaw, token] of Object.entries(tokens)) {
    assert.throws(() => decodeCursor(token, 2), isCursorError, flaw)
  }
})

test('any other text is rejected, and the message never repeats it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 4, unit: 'binary' }), (text) => {
      try {
        assert.equal(encodeCursor(decodeCursor(text, 1)), text)
      } catch (error) {
        assert.ok(isCursorError(error))
        assert.ok(!String(error).includes(JSON.stringify(text)))
      }
    }),
  )
  assert.throws(
    () => decodeCursor(tokenOf('["secret-name"]'), 2),
    (error) => !String(error).includes('secret-name'),
  )
})

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

const signingKey = createSecretKey(randomBytes(32))
const token = encodeCursor(['Bob', 7])
const signed = signCursor(token, signingKey, 'by name')

test('a signed cursor is read under the context and key it was signed with', () => {
  assert.equal(verifyCursor(signed, [signingKey], 'by name'), token)
})

test('a signed cursor is refused under another context or another key', () => {
  assert.throws(() => verifyCursor(signed, [signingKey], 'by age'), isCursorError)
  const another = createSecretKey(randomBytes(32))
  assert.throws(() => verifyCursor(signed, [another], 'by name'), isCursorError)
})

test('a signed cursor is rejected if any character was changed, added or removed', () => {
  for (let index = 0; index < signed.length; index += 1) {
    const other = signed[index] === 'A' ? 'B' : 'A'
    const changed = signed.slice(0, index) + other + signed.slice(index + 1)
    const shorter = signed.slice(0, index) + signed.slice(index + 1)
    assert.throws(() => verifyCursor(changed, [signingKey], 'by name'), isCursorError)
    assert.throws(() => verifyCursor(shorter, [signingKey], 'by name'), isCursorError)
  }
  assert.throws(() => verifyCursor(`${signed}A`, [signingKey], 'by name'), isCursorError)
  assert.throws(() => verifyCursor(`${signed}.A`, [signingKey], 'by name'), isCursorError)
})

test('an unsigned cursor is refused where signed ones are used', () => {
  assert.throws(() => verifyCursor(token, [signingKey], 'by name'), isCursorError)
  assert.throws(() => verifyCursor(`${token}.`, [signingKey], 'by name'), isCursorError)
  assert.throws(() => verifyCursor('', [signingKey], 'by name'), isCursorError)
})
