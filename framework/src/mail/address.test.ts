import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { InvalidArgumentException } from '../base/errors.ts'
import { parseAddress, parseAddresses } from './address.ts'
import type { AddressInput } from './address.ts'

for (const [input, address, name] of [
  ['ada@example.org', 'ada@example.org', ''],
  ['Ada Lovelace <ada@example.org>', 'ada@example.org', 'Ada Lovelace'],
  ['"Lovelace, Ada" <ada@example.org>', 'ada@example.org', 'Lovelace, Ada'],
  ['<ada@example.org>', 'ada@example.org', ''],
  ['no-reply@localhost', 'no-reply@localhost', ''],
  ["o'neil+tag_1@sub.Example.ORG", "o'neil+tag_1@sub.example.org", ''],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example', ''],
  ['用户@例え.jp', '用户@xn--r8jz45g.jp', ''],
  [{ address: 'ada@example.org', name: 'Ada <3' }, 'ada@example.org', 'Ada <3'],
  [{ address: 'ada@example.org' }, 'ada@example.org', ''],
] satisfies [AddressInput, string, string][]) {
  test(`${JSON.stringify(input)} is a mailbox`, () => {
    assert.deepEqual(parseAddress('to', input), { address, name })
  })
}

for (const text of [
  '',
  'ada',
  '@example.org',
  'ada@',
  'ada@@example.org',
  'ada lovelace@example.org',
  ' ada@example.org',
  'ada@example.org ',
  'ada@example.org, bob@example.org',
  'ada@example.org;bob@example.org',
  'Ada <ada@example.org>, Bob <bob@example.org>',
  'Ada <ada@example.org> <bob@example.org>',
  '"ada lovelace"@example.org',
  '.ada@example.org',
  'ada.@example.org',
  'a..da@example.org',
  'ada@-example.org',
  'ada@exa_mple.org',
  'ada@example..org',
  'ada@127.0.0.1',
  'ada@2130706433',
  'ada@[127.0.0.1]',
  'ada@example.org/evil.example',
  'ada@example%2eorg',
  'ada@example.org:25',
  `${'a'.repeat(65)}@example.org`,
  `ada@${'a.'.repeat(126)}org`,
  'ada@example.org\r\nBcc: eve@example.org',
  'ada@example.org\nRCPT TO:eve@example.org',
  'ada\u0000@example.org',
  'ada\u200b@example.org',
  'ada@example.org\u2028',
]) {
  test(`${JSON.stringify(text.slice(0, 80))} is rejected as a mailbox`, () => {
    assert.throws(() => parseAddress('to', text), {
      name: 'InvalidArgumentException',
      code: 'E_MAIL_ADDRESS',
      message: /^to: ".*" is not an e-mail address, .*; expected one mailbox such as/,
    })
  })
}

test('a line break in the name of a mailbox is rejected and not shown', () => {
  assert.throws(
    () => parseAddress('to', { address: 'ada@example.org', name: 'Ada\r\nBcc: eve@example.org' }),
    { code: 'E_MAIL_HEADER', message: /^the name in to contains a control character at 3/ },
  )
  assert.throws(() => parseAddress('to', 'Ada\nX <ada@example.org>'), { code: 'E_MAIL_HEADER' })
})

test('a value that is not a string is rejected as a mailbox', () => {
  const input: AddressInput = JSON.parse('{ "address": 7 }')
  assert.throws(() => parseAddress('to', input), { code: 'E_MAIL_ADDRESS' })
})

test('a list is read mailbox by mailbox', () => {
  const list = parseAddresses('to', ['a@example.org', { address: 'b@example.org', name: 'B' }])
  assert.deepEqual(
    list.map(({ address }) => address),
    ['a@example.org', 'b@example.org'],
  )
  assert.equal(parseAddresses('to', 'a@example.org').length, 1)
})

test('no text at all makes an address with a line break, a second @ or a bracket', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.tuple(fc.string({ unit: 'binary' }), fc.string()).map(([a, b]) => `${a}@${b}`),
    fc.string().map((text) => `ada@example.org${text}`),
    fc.string({ unit: 'binary' }).map((text) => `${text} <ada@example.org>`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      try {
        const { address, name } = parseAddress('to', text)
        assert.match(address, /^[^\s@<>\p{Cc}]+@[a-z0-9.-]+$/u)
        assert.doesNotMatch(name, /\p{Cc}/u)
      } catch (error) {
        assert.ok(error instanceof InvalidArgumentException)
      }
    }),
  )
})
