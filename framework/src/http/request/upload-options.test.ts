import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeLimits } from '../server/engine/limits.ts'
import { checkUploads, completeUploads } from './upload-options.ts'

const limits = completeLimits({ files: 3, fileBytes: 100 })

test('what a route leaves out comes from the limits of the server', () => {
  const defaults = { files: 3, bytes: 100, total: 300, types: [], fields: null }
  assert.deepEqual(completeUploads({}, limits), defaults)
  const own = { files: 2, bytes: 500, total: 600, types: ['Image/PNG'] }
  assert.deepEqual(completeUploads(own, limits), { ...own, types: ['image/png'], fields: null })
})

test('of a body with files is read what the server allows, or more if its fields may have more', () => {
  const totalOf = (bytes: number): number => {
    const field = { files: 2, bytes, types: [], isList: true, isRequired: true }
    return completeUploads({ fields: { a: field } }, limits).total
  }
  assert.deepEqual([totalOf(10), totalOf(1000)], [300, 2000])
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
