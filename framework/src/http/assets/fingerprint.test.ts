import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addFingerprint, parseFingerprint } from './fingerprint.ts'

const fingerprint = '3f9c0123abcd'

test('the fingerprint stands before the last ending, and is found there again', () => {
  for (const [name, expected] of [
    ['app.css', 'app.3f9c0123abcd.css'],
    ['app.min.js', 'app.min.3f9c0123abcd.js'],
    ['fonts/a.b/serif.woff2', 'fonts/a.b/serif.3f9c0123abcd.woff2'],
    ['a.b/LICENSE', 'a.b/LICENSE.3f9c0123abcd'],
  ] as const) {
    assert.equal(addFingerprint(name, fingerprint), expected)
    assert.deepEqual(parseFingerprint(expected), { name, fingerprint })
  }
})

test('other names have no fingerprint', () => {
  for (const name of [
    '',
    'app.css',
    'app.3f9c.css',
    'app.3F9C0123ABCD.css',
    'app.3f9c0123abcde.css',
    '.3f9c0123abcd.css',
    'a/.3f9c0123abcd.css',
    '3f9c0123abcd.css',
    'app.3f9c0123abcd.d/x.css',
  ]) {
    assert.equal(parseFingerprint(name), null, name)
  }
})
