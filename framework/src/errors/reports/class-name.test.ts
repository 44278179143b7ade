import assert from 'node:assert/strict'
import { test } from 'node:test'
import { className } from './class-name.ts'

class Missing extends Error {
  override name = 'SomethingElse'
}

test('the name of the class counts, whatever the error calls itself', () => {
  assert.equal(className(new Missing()), 'Missing')
  assert.equal(className(new TypeError()), 'TypeError')
  assert.equal(className(new AggregateError([])), 'AggregateError')
})

test('a plain Error is called by its own name', () => {
  const error = new Error('x')
  assert.equal(className(error), 'Error')
  error.name = 'AbortError'
  assert.equal(className(error), 'AbortError')
  error.name = ''
  assert.equal(className(error), 'Error')
})

test('an error without a class, with an unnamed one or with a hostile one is still an Error', () => {
  const bare = new Error('x')
  Object.setPrototypeOf(bare, null)
  assert.equal(className(bare), 'Error')
  const unnamed = new (class extends Error {})()
  assert.equal(className(unnamed), 'Error')
  const odd = Object.defineProperties(new Error('x'), {
    constructor: { value: 7 },
    name: { value: { toString: 1 } },
  })
  assert.equal(className(odd), 'Error')
  const hostile = Object.defineProperty(new Error('x'), 'constructor', {
    get: () => {
      throw new Error('no')
    },
  })
  assert.equal(className(hostile), 'Error')
})
