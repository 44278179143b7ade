import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isOwnPath } from './intended.ts'

const origin = 'https://site.example'

for (const path of ['/', '/account', '/a?b=/c&d=%0a', '/a//b', '/a?next=//evil.example', '/%41']) {
  test(`"${path}" is a path of this site`, () => {
    assert.equal(isOwnPath(path), true)
  })
}

const elsewhere = [
  '',
  'account',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%2f/evil.example',
  '/%5cevil.example',
  '/a\\b',
  '/a?b=\\c',
  '/%09/evil.example',
  '/\t/evil.example',
  '/a\r\nSet-Cookie: a=b',
  '/a%0d%0ab',
  '/a b',
  '/\u00e9',
  '/%',
  '/%ff',
  'https://evil.example/',
  'javascript:alert(1)',
  '*',
]
for (const text of elsewhere) {
  test(`${JSON.stringify(text)} is none`, () => {
    assert.equal(isOwnPath(text), false)
  })
}

test('2 KiB are enough for everybody', () => {
  assert.equal(isOwnPath(`/${'a'.repeat(2047)}`), true)
  assert.equal(isOwnPath(`/${'a'.repeat(2048)}`), false)
})

test('whatever passes, a browser finds on this site, before and after decoding', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '%2f',
    '%5c',
    '%09',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
  )
  const texts = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const path = `/${text}`
      if (!isOwnPath(path)) return
      assert.equal(new URL(path, origin).origin, origin)
      const [decoded = ''] = decodeURIComponent(path.split('?', 1)[0] ?? '').split('?', 1)
      assert.equal(new URL(decoded, origin).origin, origin)
    }),
    { numRuns: 2000 },
  )
})
