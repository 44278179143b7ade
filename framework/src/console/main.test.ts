import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordingTerminal } from '../../tests/support/recording-terminal.ts'
import { ConfigurationError } from '../base/errors.ts'
import { explainError } from './main.ts'

test('an error of the framework is its message and code, and the user can mend it', () => {
  const terminal = recordingTerminal()
  const status = explainError(new ConfigurationError('E_PROJECT', 'mend it'), terminal)
  assert.equal(status, 1)
  assert.equal(terminal.errors(), 'error mend it [E_PROJECT]\n')
})

test('any other error returns null and prints nothing', () => {
  for (const thrown of [new TypeError('no function'), 'a word', null]) {
    const terminal = recordingTerminal()
    assert.equal(explainError(thrown, terminal), null)
    assert.equal(terminal.errors(), '')
  }
})

test('a code of somebody else does not pass for one of ours', () => {
  const error = Object.assign(new Error('no file'), { code: 'ENOENT' })
  assert.equal(explainError(error, recordingTerminal()), null)
})

test('a question that was left with Ctrl-C just stops', () => {
  const terminal = recordingTerminal()
  const left = Object.assign(new Error('Aborted with Ctrl+C'), { name: 'AbortError' })
  assert.equal(explainError(left, terminal), 1)
  assert.equal(terminal.errors(), '\nstopped\n')
})

test('control characters of a message do not reach the terminal', () => {
  const terminal = recordingTerminal()
  const message = 'red \u001B[31m and\r\u0007 a\nsecond\tline'
  explainError(new ConfigurationError('E_PROJECT', message), terminal)
  assert.equal(
    terminal.errors(),
    'error red \uFFFD[31m and\uFFFD\uFFFD a\nsecond\tline [E_PROJECT]\n',
  )
})
