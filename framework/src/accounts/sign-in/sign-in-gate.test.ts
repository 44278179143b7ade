import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TestFactor } from '../../../tests/support/test-factor.ts'
import { keepState } from '../identity.ts'
import { SignInGate } from './sign-in-gate.ts'

test('a factor that the project does not know lets nobody in', () => {
  const identity = { id: '1' }
  const state = { secret: null, factors: ['totp', 'test'], isProven: true, isSuspended: false }
  keepState(identity, state)
  const factor = new TestFactor()
  assert.deepEqual(new SignInGate({ factors: [factor] }).factorsOf(identity), [factor])
  for (const gate of [new SignInGate(), new SignInGate({ factors: [new TestFactor('other')] })]) {
    assert.throws(() => gate.factorsOf(identity), { name: 'ConfigurationError', code: 'E_FACTOR' })
  }
})

test('an account without factors, or one that was read without them, has none', () => {
  const identity = { id: '1' }
  assert.deepEqual(new SignInGate({ factors: [new TestFactor()] }).factorsOf(identity), [])
})

test('names that do not fit, or come twice, and invalid times are refused', () => {
  for (const factors of [
    [new TestFactor('TOTP')],
    [new TestFactor('a b')],
    [new TestFactor('')],
    [new TestFactor('x'.repeat(33))],
    [new TestFactor('one'), new TestFactor('one')],
  ]) {
    assert.throws(() => new SignInGate({ factors }), { name: 'InvalidArgumentException' })
  }
  for (const pendingTtl of [0, 1.5, Number.NaN]) {
    assert.throws(() => new SignInGate({ pendingTtl }), { name: 'InvalidArgumentException' })
  }
})
