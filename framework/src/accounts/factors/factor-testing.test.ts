import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, oathtoolMissing } from '../../../tests/support/oathtool.ts'
import { totpCode } from './factor-testing.ts'

test('it is the code that oathtool shows', { skip: oathtoolMissing }, () => {
  for (const now of [0, 59, 1_234_567_890, Math.floor(Date.now() / 1000)]) {
    assert.equal(totpCode('JBSW Y3DP EHPK 3PXP', now), codeOf('JBSWY3DPEHPK3PXP', now))
  }
})

test('a secret that is not base32 is refused', () => {
  for (const secret of ['', '1', 'é']) {
    assert.throws(() => totpCode(secret), { code: 'E_INVALID_ARGUMENT' })
  }
})
