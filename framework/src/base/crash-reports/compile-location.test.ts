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

test('the engine tells line and column of what it could not read', () => {
  const error = syntaxError(() => runInThisContext('const a = 1\nconst b = ;'))
  assert.deepEqual(compileLocation(error), { line: 2, column: 11 })
})

test('an error that no parser made has no place', () => {
  assert.equal(compileLocation(new SyntaxError('x')), null)
})

test('nothing of it stays behind', () => {
  const before = Reflect.ownKeys(globalThis)
  compileLocation(syntaxError(() => runInThisContext('const b = ;')))
  assert.deepEqual(Reflect.ownKeys(globalThis), before)
})
