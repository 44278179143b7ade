import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeData, emptyData, encodeData, identityOf, isEmpty } from './session-data.ts'

test('data comes back from its text', () => {
  const data = { values: { a: [1, null] }, flash: { b: 'é' } }
  assert.deepEqual(decodeData(encodeData(data)), data)
  assert.equal(isEmpty(data), false)
  assert.equal(isEmpty(emptyData), true)
})

for (const text of ['', 'null', '[]', '{}', '{"values":{}}', '{"values":[],"flash":{}}', '{"a"']) {
  test(`a text that is ${text === '' ? 'empty' : text} is no session`, () => {
    assert.equal(decodeData(text), null)
  })
}

test('values that fit one by one may be too large together; the largest is named', () => {
  const data = {
    values: { small: 1, cart: 'x'.repeat(40_000) },
    flash: { old: 'y'.repeat(30_000) },
  }
  assert.throws(() => encodeData(data), { code: 'E_SESSION_SIZE', message: /"cart" foremost/ })
})

for (const [value, identity] of [
  ['7', '7'],
  [7, '7'],
  [{ id: '7', email: 'ada@example.com' }, '7'],
  [{ id: 7 }, '7'],
  ['', null],
  [null, null],
  [undefined, null],
  [true, null],
  [{ id: null }, null],
  [{ email: 'ada@example.com' }, null],
  [[7], null],
] as const) {
  test(`the identity of ${JSON.stringify(value)} is ${identity}`, () => {
    assert.equal(identityOf(value), identity)
  })
}

for (const id of ['x'.repeat(256), 'a\0b', 'a\ud800']) {
  test(`an id that no index can hold is refused: ${JSON.stringify(id.slice(0, 10))}`, () => {
    assert.throws(() => identityOf(id), { code: 'E_SESSION_VALUE' })
  })
}
