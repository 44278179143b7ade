import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ErrorException, FatalErrors, isFatal } from './error-exception.ts'
import { framesOf, throwPoint } from '../stack/frames.ts'

const fatal = {
  type: FatalErrors.E_PARSE,
  message: 'no\n    at /x.ts:1:1',
  file: '/app/a b.ts',
  line: 7,
}

test('it has severity, file and line, and they are its throw point', () => {
  const error = new ErrorException(fatal, { cause: 'c' })
  assert.ok(error instanceof Error)
  const { severity, file, line, message, cause } = error
  assert.deepEqual(
    { severity, file, line, message, cause },
    { severity: 4, file: '/app/a b.ts', line: 7, message: fatal.message, cause: 'c' },
  )
  const point = throwPoint(error)
  assert.deepEqual([point?.file, point?.line], ['/app/a b.ts', 7])
})

test('with a trace, its frames are those of the trace', () => {
  const trace = ['at eat (/app/a.ts:3:5)', 'at /app/b.ts:9:1']
  const frames = framesOf(new ErrorException({ ...fatal, trace }))
  assert.deepEqual(
    frames.map(({ call, line }) => [call, line]),
    [
      ['eat', 3],
      ['', 9],
    ],
  )
})

test('without a file it has no frames', () => {
  assert.deepEqual(framesOf(new ErrorException({ ...fatal, file: '', line: 0 })), [])
})

test('E_ERROR, E_PARSE, E_CORE_ERROR and E_COMPILE_ERROR are fatal, warnings are not', () => {
  assert.deepEqual([1, 2, 4, 8, 16, 32, 64, 256].filter(isFatal), [1, 4, 16, 64])
})
