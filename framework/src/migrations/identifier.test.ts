import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../base/errors.ts'
import { checkedIdentifier, derivedName } from './identifier.ts'

test('a name of up to 63 bytes is accepted unchanged', () => {
  for (const name of ['a', 'order', 'été', 'with "marks"', 'x'.repeat(63)]) {
    assert.equal(checkedIdentifier(name), name)
  }
})

test('a name that a database would truncate, trim or reject is rejected', () => {
  for (const name of ['', 'x'.repeat(64), 'é'.repeat(32), 'a\0b', 'blank ']) {
    assert.throws(
      () => checkedIdentifier(name),
      (error) => error instanceof InvalidArgumentException && error.code === 'E_IDENTIFIER',
    )
  }
})

test('derived names consist of table and columns', () => {
  assert.equal(derivedName('posts', ['a', 'b'], 'index'), 'posts_a_b_index')
})

test('long names are cut to 63 bytes and still differ', () => {
  const long = 'é'.repeat(30)
  const one = derivedName(long, ['a'], 'index')
  const other = derivedName(long, ['b'], 'index')
  assert.notEqual(one, other)
  for (const name of [one, other]) assert.equal(checkedIdentifier(name), name)
  assert.equal(derivedName(long, ['a'], 'index'), one)
})
