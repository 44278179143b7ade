import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalEmail } from './normal-email.ts'

test('an e-mail is trimmed, lower-cased and composed', () => {
  assert.equal(normalEmail('  Ada@Example.COM\t\n'), 'ada@example.com')
  assert.equal(normalEmail('JOSE\u0301@example.com'), 'jos\u00e9@example.com')
  assert.equal(normalEmail('ÄÖÜ@example.com'), 'äöü@example.com')
  assert.equal(normalEmail('straße@example.com'), 'straße@example.com')
})

test('the normal form of a normal form is the same', () => {
  for (const text of [
    'Ada@x.org',
    'JOSE\u0301@x.org',
    'Σίσυφοσ@x.org',
    'ǅ@x.org',
    'ÅNGSTRÖM@x.org',
  ]) {
    const email = normalEmail(text)
    assert.equal(normalEmail(email ?? ''), email)
  }
})

test('a letter that only becomes an ASCII one is no disguise for somebody else', () => {
  for (const text of [
    '\u212aate@x.org',
    'm\u0130ke@x.org',
    'a@\u212aernel.org',
    'a\u037eb@x.org',
  ]) {
    assert.equal(normalEmail(text), null)
  }
  assert.notEqual(normalEmail('m\u0131ke@x.org'), 'mike@x.org')
})

test('what cannot be written or seen is in no e-mail', () => {
  const unseen = ['\0', '\r\n', '\x7f', '\u0085', '\u200b', '\u202e', '\u00ad', '\ud800']
  for (const text of unseen) assert.equal(normalEmail(`a${text}b@x.org`), null)
})

test('an e-mail has 1 to 254 characters', () => {
  assert.equal(normalEmail(' \t'), null)
  assert.equal(normalEmail('x'.repeat(254))?.length, 254)
  assert.equal(normalEmail('x'.repeat(255)), null)
  assert.equal(normalEmail(`  ${'x'.repeat(254)}  `)?.length, 254)
})
