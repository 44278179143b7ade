import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../base/errors.ts'
import { failureReason } from './job.ts'

test('a reason is class and code, never a message', () => {
  assert.equal(failureReason(new TypeError('hunter2')), 'TypeError')
  const framework = new InvalidArgumentException('E_INVALID_ARGUMENT', 'hunter2')
  assert.equal(failureReason(framework), 'InvalidArgumentException E_INVALID_ARGUMENT')
  const smtp = Object.assign(new Error('hunter2', { cause: 'hunter2' }), { code: 550 })
  assert.equal(failureReason(smtp), 'Error 550')
  const odd = Object.assign(new Error('x'), { code: { secret: 'hunter2' } })
  assert.equal(failureReason(odd), 'Error')
  const named = Object.assign(new Error('x'), { name: 'Failure of https://ada:hunter2@b.test' })
  assert.equal(failureReason(named).includes('hunter2'), false)
})

test('a reason fits its column and holds nothing that could steer a terminal', () => {
  const error = Object.assign(new Error('x'), { code: `\u001B[2J${'é'.repeat(500)}` })
  const reason = failureReason(error)
  assert.equal(reason.length, 120)
  assert.match(reason, /^[\x20-\x7e]+$/)
})
