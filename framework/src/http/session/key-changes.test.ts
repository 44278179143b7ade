import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyChanges } from './key-changes.ts'

test('without changes the values are the same object', () => {
  const values = { a: 1 }
  const changes = new KeyChanges()
  assert.equal(changes.isEmpty, true)
  assert.equal(changes.apply(values), values)
  assert.equal(changes.find('a'), null)
})

test('changes are applied to values that others have changed in the meantime', () => {
  const changes = new KeyChanges()
  changes.set('a', 1)
  changes.delete('b')
  assert.deepEqual(changes.apply({ b: 2, c: 3 }), { a: 1, c: 3 })
  assert.deepEqual(changes.apply({ a: 0, b: 2, d: 4 }), { a: 1, d: 4 })
  assert.deepEqual([changes.find('a')?.value, changes.find('b')?.present], [1, false])
})

test('deleting a missing key changes nothing', () => {
  const values = { a: 1 }
  const changes = new KeyChanges()
  changes.delete('b')
  assert.equal(changes.apply(values), values)
})

test('the last change of a key counts', () => {
  const changes = new KeyChanges()
  changes.set('a', 1)
  changes.delete('a')
  changes.delete('b')
  changes.set('b', 2)
  assert.deepEqual(changes.apply({ a: 0 }), { b: 2 })
})

test('clear deletes stored values and earlier changes, not later ones', () => {
  const changes = new KeyChanges()
  changes.set('a', 1)
  changes.clear()
  changes.set('b', 2)
  assert.deepEqual(changes.apply({ c: 3 }), { b: 2 })
  assert.deepEqual([changes.find('a')?.present, changes.find('z')?.present], [false, false])
  const values = {}
  const cleared = new KeyChanges()
  cleared.clear()
  assert.equal(cleared.apply(values), values)
})

test('a key may have any name', () => {
  const changes = new KeyChanges()
  changes.set('__proto__', { a: 1 })
  changes.set('constructor', 2)
  const after = changes.apply({})
  assert.equal(JSON.stringify(after), '{"__proto__":{"a":1},"constructor":2}')
  assert.equal(Object.getPrototypeOf(after), Object.prototype)
})
