import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { fromBase32, toBase32 } from './base32.ts'

/** RFC 4648, section 10, without the padding. */
const vectors: readonly (readonly [string, string])[] = [
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
]

test('the vectors of RFC 4648', () => {
  for (const [plain, encoded] of vectors) {
    assert.equal(toBase32(Buffer.from(plain)), encoded)
    assert.equal(fromBase32(encoded)?.toString(), plain)
  }
})

test('case and padding do not matter when reading', () => {
  assert.equal(fromBase32('mzxw6===')?.toString(), 'foo')
})

test('a text that no bytes encode to is null', () => {
  for (const text of ['M', '1', 'MZ XQ', 'MZXW6YTBO', 'MZ', 'é', 'MZ=XQ']) {
    assert.equal(fromBase32(text), null, text)
  }
})

test('any bytes come back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      assert.deepEqual(fromBase32(toBase32(bytes)), Buffer.from(bytes))
    }),
  )
})
