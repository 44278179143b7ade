import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRecoveryCode, readRecoveryCode, recoveryDigest } from './recovery-codes.ts'

test('a code is 80 random bits in four groups of letters and digits', () => {
  const codes = Array.from({ length: 100 }, newRecoveryCode)
  for (const code of codes) assert.match(code, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  assert.equal(new Set(codes.flatMap((code) => code.split('-'))).size > 390, true)
})

test('case, spaces, dashes and look-alikes do not matter when it is typed', () => {
  assert.equal(readRecoveryCode(' MZXW-6YTB OI2GK5dt '), 'mzxw6ytboi2gk5dt')
  assert.equal(readRecoveryCode('0000-1111-8888-aaaa'), 'oooollllbbbbaaaa')
  for (const text of ['', 'mzxw', 'mzxw-6ytb-oi2g-k5d', 'mzxw-6ytb-oi2g-k5dt-a', '123456']) {
    assert.equal(readRecoveryCode(text), null, text)
  }
})

test('the digest depends on the account', () => {
  const code = 'mzxw6ytboi2gk5dt'
  assert.notEqual(recoveryDigest('7', code), recoveryDigest('8', code))
  assert.match(recoveryDigest('7', code), /^[0-9a-f]{64}$/)
})
