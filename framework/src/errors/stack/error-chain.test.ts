import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxChainLength, chainOf } from './error-chain.ts'

function told(error: Error): [string, string][] {
  return chainOf(error).map((link) => [link.relation, link.error.message])
}

test('an error alone is a chain of one', () => {
  assert.deepEqual(told(new Error('a')), [['thrown', 'a']])
})

test('causes follow, the nearest first', () => {
  const error = new Error('a', { cause: new Error('b', { cause: new TypeError('c') }) })
  assert.deepEqual(told(error), [
    ['thrown', 'a'],
    ['cause', 'b'],
    ['cause', 'c'],
  ])
})

test('the errors of an AggregateError follow its cause', () => {
  const gathered = [new Error('c'), 'no error', new Error('d')]
  const error = new AggregateError(gathered, 'a', { cause: new Error('b') })
  assert.deepEqual(told(error), [
    ['thrown', 'a'],
    ['cause', 'b'],
    ['aggregated', 'c'],
    ['aggregated', 'd'],
  ])
})

test('a chain ends after five errors, the outer one counted', () => {
  assert.equal(maxChainLength, 5)
  let error = new Error('0')
  for (let at = 1; at < 20; at += 1) error = new Error(String(at), { cause: error })
  assert.equal(chainOf(error).length, 5)
  const many = Array.from({ length: 1_000 }, (_, at) => new Error(String(at)))
  assert.equal(chainOf(new AggregateError(many)).length, 5)
})

test('an error that leads back to itself is named once', () => {
  const inner = new Error('inner')
  const error = new Error('outer', { cause: inner })
  inner.cause = error
  assert.deepEqual(told(error), [
    ['thrown', 'outer'],
    ['cause', 'inner'],
  ])
  const self = new AggregateError([], 'self')
  self.errors.push(self, self)
  self.cause = self
  assert.deepEqual(told(self), [['thrown', 'self']])
})

test('a cause that is not an error is not part of the chain', () => {
  for (const cause of ['text', null, 7, { message: 'x' }]) {
    assert.equal(chainOf(new Error('a', { cause })).length, 1)
  }
})

test('a cause that throws when it is read ends the chain', () => {
  const error = Object.defineProperty(new Error('a'), 'cause', {
    get: () => {
      throw new Error('no')
    },
  })
  const odd = Object.defineProperty(new AggregateError([]), 'errors', { value: 7 })
  assert.equal(chainOf(error).length, 1)
  assert.equal(chainOf(odd).length, 1)
})
