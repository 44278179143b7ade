import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseEncodings } from './accept-encoding.ts'
import type { Encoding } from './accept-encoding.ts'

const offers: readonly Encoding[] = ['br', 'zstd', 'gzip']

for (const [header, encodings, plain] of [
  [undefined, [], true],
  ['', [], true],
  ['gzip', ['gzip'], true],
  ['gzip, deflate, br, zstd', ['br', 'zstd', 'gzip'], true],
  ['GZIP;Q=0.5 , BR;q=0.4', ['gzip', 'br'], true],
  ['gzip;q=1.0, br;q=0', ['gzip'], true],
  ['*', ['br', 'zstd', 'gzip'], true],
  ['*;q=0.5, gzip;q=0', ['br', 'zstd'], true],
  ['identity', [], true],
  ['identity;q=1, gzip;q=0.5', [], true],
  ['identity;q=0.5, gzip;q=0.5, br;q=0.1', ['gzip'], true],
  ['identity;q=0', [], false],
  ['identity;q=0, gzip;q=0.1', ['gzip'], false],
  ['*;q=0', [], false],
  ['*;q=0, identity', [], true],
  ['*;q=0, gzip', ['gzip'], false],
  ['x-gzip', ['gzip'], true],
  ['gzip;q=nonsense', [], true],
  ['gzip;q=2', [], true],
  ['deflate, compress', [], true],
] as const) {
  test(`Accept-Encoding ${header} allows ${encodings.join(', ') || 'no coding'}`, () => {
    assert.deepEqual(chooseEncodings(header, offers), { encodings: [...encodings], plain })
  })
}
