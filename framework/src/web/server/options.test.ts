import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { completeOptions } from './options.ts'

test('the folder of reports is none unless given, and is known by its whole path', () => {
  assert.equal(completeOptions({}).reports, null)
  assert.equal(completeOptions({ reports: null }).reports, null)
  assert.equal(completeOptions({ reports: 'storage/reports' }).reports, resolve('storage/reports'))
})

test('an empty folder of reports is refused', () => {
  assert.throws(() => completeOptions({ reports: '' }), {
    code: 'E_INVALID_ARGUMENT',
    message: /"reports" must be a folder, or null/,
  })
})
