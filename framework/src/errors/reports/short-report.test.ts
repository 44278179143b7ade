import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortReport } from './short-report.ts'

test('class and message, printable and without secrets', () => {
  assert.equal(
    shortReport(new TypeError('at \u001B[31m https://me:hunter2@host/')),
    'TypeError: at \uFFFD[31m https://[redacted]@host/\n',
  )
})

test('an error with a throwing message still yields a line', () => {
  const error = Object.defineProperty(new Error('x'), 'message', {
    get() {
      throw new Error('trap')
    },
  })
  assert.equal(shortReport(error), 'Error: \n')
})
