import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneTimeCode, timeStep } from './one-time-code.ts'

const secret = Buffer.from('12345678901234567890')

test('the values of RFC 4226, appendix D', () => {
  const codes = [
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ]
  assert.deepEqual(
    codes.map((_, counter) => oneTimeCode(secret, counter)),
    codes,
  )
})

test('the SHA-1 values of RFC 6238, appendix B', () => {
  for (const [now, code] of [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ] as const) {
    assert.equal(oneTimeCode(secret, timeStep(now), 8), code)
  }
})

test('a step lasts 30 seconds, from its first to before its last', () => {
  assert.deepEqual([0, 29.999, 30, 59, 60].map(timeStep), [0, 0, 1, 1, 2])
})
