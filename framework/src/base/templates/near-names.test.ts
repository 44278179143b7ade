import assert from 'node:assert/strict'
import { test } from 'node:test'

import { nearNames } from './near-names.ts'

const names = ['account', 'accounts/list', 'errors/404', 'errors/500', 'home', 'partials/footer']

test('the nearest names come first, distant ones are left out', () => {
  assert.deepEqual(nearNames('acount', names), ['account'])
  assert.deepEqual(nearNames('error/404', names), ['errors/404', 'errors/500'])
  assert.deepEqual(nearNames('zzzzzzzzzzzz', names), [])
})

test('the same last part in another folder is near', () => {
  assert.deepEqual(nearNames('shared/footer', names), ['partials/footer'])
  assert.deepEqual(nearNames('footer', names), ['partials/footer'])
})

test('at most the requested number is returned, and very long names are cheap', () => {
  const many = Array.from({ length: 50 }, (_, index) => `page-${index}`)
  assert.equal(nearNames('page-', many, 2).length, 2)
  assert.deepEqual(nearNames('x'.repeat(1_000_000), many), [])
})
