import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasCode } from './errors.ts'

test('an error matches any of its codes, anything else does not', () => {
  const missing = Object.assign(new Error('no file'), { code: 'ENOENT' })
  assert.equal(hasCode(missing, 'ENOENT'), true)
  assert.equal(hasCode(missing, 'EEXIST', 'ENOENT'), true)
  assert.equal(hasCode(missing, 'EEXIST'), false)
  assert.equal(hasCode(new Error('no code'), 'ENOENT'), false)
  assert.equal(hasCode({ code: 'ENOENT' }, 'ENOENT'), false)
  assert.equal(hasCode(undefined, 'ENOENT'), false)
})
