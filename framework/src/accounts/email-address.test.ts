import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayEmail, isEmailAddress, normalEmail } from './email-address.ts'

for (const text of [
  'ada@example.org',
  "o'brien@example.com",
  'ada+news@example.org',
  'a@b.co',
  '!#$%&*+/=?^_`{|}~-@example.org',
  'ada@my--host.com',
  'ada@xn--bcher-kva.example',
  'ada@bücher.example',
  'ada@BÜCHER.example',
  'ada@bu\u0308cher.example',
  'ada@例え.テスト',
  'ada@例え。テスト',
  'ada@example.xn--p1ai',
  'ada@1and1.example',
  'ada@a.museum',
  ' Ada@Example.ORG ',
  `${'a'.repeat(64)}@example.org`,
]) {
  test(`${text.slice(0, 40)} is an e-mail address`, () => {
    assert.ok(isEmailAddress(text))
  })
}

for (const text of [
  '',
  'ada',
  'ada@',
  '@example.org',
  'ada@example',
  'ada@localhost',
  'ada@@example.org',
  'ada lovelace@example.org',
  '"ada lovelace"@example.org',
  'ada@example..org',
  'ada@.example.org',
  'ada@example.org.',
  '.ada@example.org',
  'a..da@example.org',
  'ada@-example.org',
  'ada@exa_mple.org',
  'ada@127.0.0.1',
  'ada@[127.0.0.1]',
  'ada@bücher.example/x',
  'ada@bücher.1',
  'ada@bücher',
  'ada@example.org\r\nBcc: eve@example.org',
  'ada@example.org, eve@example.org',
  // Few mail servers take such a mailbox, and an account that gets no mail cannot be recovered.
  'jürgen@example.org',
  `${'a'.repeat(65)}@example.org`,
  `ada@${'a.'.repeat(126)}org`,
  `ada@${'ü'.repeat(70)}.example`,
]) {
  test(`${JSON.stringify(text.slice(0, 40))} is no e-mail address`, () => {
    assert.equal(isEmailAddress(text), false)
  })
}

test('the domain is displayed in Unicode, whatever form is stored', () => {
  const stored = normalEmail('Ada@BÜCHER.example') ?? ''
  assert.equal(stored, 'ada@xn--bcher-kva.example')
  assert.equal(displayEmail(stored), 'ada@bücher.example')
  for (const text of ['ada@example.org', "o'brien@my--host.com", 'nonsense', 'a@xn--a.example']) {
    assert.equal(displayEmail(text), text)
  }
})

test('an e-mail is trimmed, lower-cased and composed', () => {
  assert.equal(normalEmail('  Ada@Example.COM\t\n'), 'ada@example.com')
  assert.equal(normalEmail('JOSE\u0301@example.com'), 'jos\u00e9@example.com')
  assert.equal(normalEmail('ÄÖÜ@example.com'), 'äöü@example.com')
  assert.equal(normalEmail('straße@example.com'), 'straße@example.com')
})

test('a domain beyond ASCII and its ASCII form are the same', () => {
  for (const text of ['a@bücher.example', 'A@BÜCHER.example', 'a@bu\u0308cher.example']) {
    assert.equal(normalEmail(text), 'a@xn--bcher-kva.example')
  }
  assert.equal(normalEmail('a@XN--BCHER-KVA.example'), 'a@xn--bcher-kva.example')
  assert.equal(normalEmail('a@ｂücher。example'), 'a@xn--bcher-kva.example')
  assert.equal(normalEmail('bücher@x@bücher.example'), 'bücher@x@xn--bcher-kva.example')
})

test('non-ASCII text that is not a valid domain makes an e-mail invalid', () => {
  for (const domain of ['ü..example', 'ü_.example', 'ü.1', 'ü%2e.example', 'ü:25', 'ü ü.example']) {
    assert.equal(normalEmail(`a@${domain}`), null, domain)
  }
})

test('the normal form of a normal form is the same', () => {
  for (const text of [
    'Ada@x.org',
    'JOSE\u0301@x.org',
    'Σίσυφοσ@x.org',
    'ǅ@x.org',
    'ÅNGSTRÖM@x.org',
    'a@ÅNGSTRÖM.example',
  ]) {
    const email = normalEmail(text)
    assert.equal(normalEmail(email ?? ''), email)
  }
})

test('a letter that lower-cases to an ASCII letter is rejected', () => {
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

test('control characters and invisible characters make an e-mail invalid', () => {
  const unseen = ['\0', '\r\n', '\x7f', '\u0085', '\u200b', '\u202e', '\u00ad', '\ud800']
  for (const text of unseen) assert.equal(normalEmail(`a${text}b@x.org`), null)
})

test('an e-mail has 1 to 254 characters', () => {
  assert.equal(normalEmail(' \t'), null)
  assert.equal(normalEmail('x'.repeat(254))?.length, 254)
  assert.equal(normalEmail('x'.repeat(255)), null)
  assert.equal(normalEmail(`  ${'x'.repeat(254)}  `)?.length, 254)
})

test('a text that is far too long is not normalized: that may take the square of its length', (t) => {
  const normalize = t.mock.method(String.prototype, 'normalize')
  const marks = '\u0315'.repeat(20_000) + '\u0316'.repeat(20_000)
  assert.equal(normalEmail(`a${marks}@example.org`), null)
  assert.equal(normalize.mock.callCount(), 0)
})
