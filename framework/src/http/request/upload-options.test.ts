import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeLimits } from '../server/engine/limits.ts'
import { checkUploads, completeUploads, isAccepted } from './upload-options.ts'

const limits = completeLimits({ files: 3, fileBytes: 100 })

test('what a route leaves out comes from the limits of the server', () => {
  assert.deepEqual(completeUploads({}, limits), { files: 3, bytes: 100, total: 300, types: [] })
  const own = { files: 2, bytes: 500, total: 600, types: ['Image/PNG'] }
  assert.deepEqual(completeUploads(own, limits), { ...own, types: ['image/png'] })
})

test('a type is accepted if it is listed, or of a listed kind', () => {
  const accepts = (types: readonly string[], type: string): boolean =>
    isAccepted(type, completeUploads({ types }, limits))
  assert.ok(accepts([], 'anything/at-all'))
  assert.ok(accepts(['text/plain', 'image/*'], 'image/svg+xml'))
  assert.ok(accepts(['image/*', 'text/plain'], 'text/plain'))
  assert.ok(!accepts(['image/*'], 'imagery/png'))
  assert.ok(!accepts(['image/png'], 'image/png2'))
  assert.ok(!accepts(['image/png'], 'application/octet-stream'))
})

test('options that cannot work are refused when the route is declared', () => {
  const invalid = { code: 'E_INVALID_ARGUMENT' }
  checkUploads({ files: 1, bytes: 1, total: 1, types: ['image/*', 'application/vnd.x+json'] })
  for (const options of [
    { files: 0 },
    { bytes: 1.5 },
    { total: -1 },
    { bytes: Number.NaN },
    { types: ['png'] },
    { types: ['*/png'] },
    { types: ['image/png; q=1'] },
  ]) {
    assert.throws(() => checkUploads(options), invalid, JSON.stringify(options))
  }
})
