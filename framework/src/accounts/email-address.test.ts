import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayEmail, isEmailAddress } from './email-address.ts'
import { normalEmail } from './normal-email.ts'

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
