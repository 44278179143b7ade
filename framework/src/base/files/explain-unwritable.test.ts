import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { explainUnwritable, unwritableReason } from './explain-unwritable.ts'

const failure = (code: string): Error => Object.assign(new Error(`${code}: no`), { code })
const deep = join(tmpdir(), 'there-is-no-such-folder', 'logs')

for (const [code, reason] of [
  [
    'EACCES',
    /this user( \(uid \d+\))? lacks the permission \(EACCES\): change its owner or permissions$/,
  ],
  ['EPERM', /lacks the permission \(EPERM\)/],
  ['EROFS', /its file system is read-only \(EROFS\): mount it writable$/],
  ['ENOTDIR', /a file is where a folder should be \(ENOTDIR\): move that file away$/],
  ['EEXIST', /a file is where a folder should be \(EEXIST\)/],
  ['ENOSPC', /the disk is full \(ENOSPC\): free some space$/],
] as const) {
  test(`${code} is explained with the existing folder and what to do`, () => {
    const told = unwritableReason(failure(code), deep) ?? ''
    assert.ok(told.startsWith(`${tmpdir()} cannot be written to, `), told)
    assert.match(told, reason)
  })
}

test('other errors are not explained', () => {
  const error = failure('EMFILE')
  assert.equal(unwritableReason(error, deep), null)
  assert.equal(explainUnwritable(error, deep), error)
})

test('an explained error has a code, an alternative, and the system error as its cause', () => {
  const cause = failure('EROFS')
  const error = explainUnwritable(cause, deep, 'set APP_KEY')
  assert.ok(error instanceof Error && 'code' in error)
  assert.equal(error.code, 'E_UNWRITABLE')
  assert.match(error.message, /mount it writable, or set APP_KEY$/)
  assert.equal(error.cause, cause)
})
