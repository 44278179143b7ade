import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../base/errors.ts'
import { checkHeaders, parseHeaders } from './headers.ts'

test('pairs are split at commas and at the first equals sign, and URL-decoded', () => {
  assert.deepEqual(parseHeaders('a=1,b=x%20y%2Cz , Authorization=Basic%20dTpw==,'), {
    a: '1',
    b: 'x y,z',
    Authorization: 'Basic dTpw==',
  })
  assert.deepEqual(parseHeaders('empty='), { empty: '' })
  assert.deepEqual(parseHeaders(' '), {})
})

for (const text of [
  'secret',
  'a=1,secret',
  '=secret',
  'a b=1',
  'a=%zz',
  'a=x%0d%0ay',
  'a=%E2%82%AC',
]) {
  test(`${text} is not a list of headers`, () => {
    assert.equal(parseHeaders(text), undefined)
  })
}

test('names are kept in lower case and of two the later one counts', () => {
  const headers = checkHeaders({ 'X-Key': 'one', 'x-key': ' two\t' })
  assert.deepEqual([...headers], [['x-key', 'two']])
})

test('a name such as __proto__ is a name like any other', () => {
  assert.deepEqual([...checkHeaders(parseHeaders('__proto__=x') ?? {})], [['__proto__', 'x']])
})

for (const [name, value] of [
  ['x-key', 'hunter2\r\nx-other: 1'],
  ['x-key', 'hunter2\u0000'],
  ['x-key', 'hunter2€'],
  ['hunter2 is no name', 'x'],
  ['Content-Type', 'hunter2'],
  ['content-length', 'hunter2'],
  ['Content-Encoding', 'hunter2'],
  ['host', 'hunter2'],
  ['Transfer-Encoding', 'hunter2'],
] as const) {
  test(`the header ${JSON.stringify([name, value])} is refused without showing it`, () => {
    assert.throws(
      () => checkHeaders({ [name]: value }),
      (error) => {
        assert.ok(error instanceof InvalidArgumentException)
        assert.equal(error.code, 'E_INVALID_ARGUMENT')
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      },
    )
  })
}
