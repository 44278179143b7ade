import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { compileLocation } from './compile-location.ts'

function syntaxError(run: () => unknown): SyntaxError {
  try {
    run()
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return thrown
  }
  throw new Error('it parsed')
}

test('V8 reports line and column of a syntax error', () => {
  const error = syntaxError(() => runInThisContext('const a = 1\nconst b = ;'))
  assert.deepEqual(compileLocation(error), { line: 2, column: 11 })
})

test('an error that no parser created has no location', () => {
  assert.equal(compileLocation(new SyntaxError('x')), null)
})

test('no global is left behind', () => {
  const before = Reflect.ownKeys(globalThis)
  compileLocation(syntaxError(() => runInThisContext('const b = ;')))
  assert.deepEqual(Reflect.ownKeys(globalThis), before)
})
