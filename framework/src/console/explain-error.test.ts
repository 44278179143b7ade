import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordingTerminal } from '../../tests/support/recording-terminal.ts'
import { ConfigurationError } from '../base/errors.ts'
import { explainError } from './explain-error.ts'

test('an error of the framework is its message and code, and the user can mend it', () => {
  const terminal = recordingTerminal()
  const status = explainError(new ConfigurationError('E_PROJECT', 'mend it'), terminal, false)
  assert.equal(status, 1)
  assert.equal(terminal.errors(), 'error mend it [E_PROJECT]\n')
})

test('with verbose it comes with its stack', () => {
  const terminal = recordingTerminal()
  explainError(new ConfigurationError('E_PROJECT', 'mend it'), terminal, true)
  assert.match(terminal.errors(), /explain-error\.test\.ts/)
})

test('anything else comes with its stack and is uncaught', () => {
  const terminal = recordingTerminal()
  assert.equal(explainError(new TypeError('no function'), terminal, false), 255)
  assert.match(terminal.errors(), /^uncaught TypeError: no function\n {4}at .*explain-error\.test/)
})

test('a code of somebody else does not pass for one of ours', () => {
  const error = Object.assign(new Error('no file'), { code: 'ENOENT' })
  assert.equal(explainError(error, recordingTerminal(), false), 255)
})

test('a question that was left with Ctrl-C just stops', () => {
  const terminal = recordingTerminal()
  const left = Object.assign(new Error('Aborted with Ctrl+C'), { name: 'AbortError' })
  assert.equal(explainError(left, terminal, false), 1)
  assert.equal(terminal.errors(), '\nstopped\n')
})

test('what is thrown and is no error is told too', () => {
  const terminal = recordingTerminal()
  assert.equal(explainError('a word', terminal, false), 255)
  assert.match(terminal.errors(), /a word/)
})

test('control characters of a message do not reach the terminal', () => {
  const terminal = recordingTerminal()
  const message = 'red \u001B[31m and\r\u0007 a\nsecond\tline'
  explainError(new ConfigurationError('E_PROJECT', message), terminal, false)
  assert.equal(
    terminal.errors(),
    'error red \uFFFD[31m and\uFFFD\uFFFD a\nsecond\tline [E_PROJECT]\n',
  )
})
