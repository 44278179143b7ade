import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { IntlMessageFormat } from 'intl-messageformat'
import { LanguageFormats } from './language-formats.ts'
import { parseMessage } from './message.ts'
import type { MessageValues } from './message.ts'

const languages = ['en', 'de', 'fr', 'es', 'pl', 'ar']
const values: MessageValues = { n: 3, name: 'Ada', kind: 'b' }

function write(text: string, language: string, given: MessageValues = values): string {
  return parseMessage(text).format(given, new LanguageFormats(language, (part) => part))
}

const literal = fc.stringMatching(/^[a-z <>/é’.,!-]{0,8}$/)
const argument = fc.oneof(
  fc.constantFrom('{name}', '{ n }', '{n, number}', '{n, number, percent}'),
  fc.constantFrom('{n, number, ::currency/EUR}', "'{'", "''", "don't ", "'{x}'"),
)
const { message } = fc.letrec<{ message: string; choice: string }>((tie) => ({
  message: fc
    .array(fc.oneof({ depthSize: 'small' }, literal, argument, tie('choice')), { maxLength: 4 })
    .map((parts) => parts.join('')),
  choice: fc
    .tuple(
      fc.constantFrom('n, plural', 'n, selectordinal', 'n, plural, offset:1', 'kind, select'),
      tie('message'),
      tie('message'),
    )
    .map(([head, one, other]) => {
      const comma = head.includes('offset') ? ' ' : ','
      const first = head.includes('select,') || head === 'kind, select' ? 'b' : '=2'
      return `{${head}${comma} ${first} {#${one}} other {# ${other}}}`
    }),
}))

test('every message is written as intl-messageformat writes it, in six languages', () => {
  fc.assert(
    fc.property(
      message,
      fc.constantFrom(...languages),
      fc.integer({ min: 0, max: 25 }),
      (text, language, n) => {
        // There a lone apostrophe before < or > quotes, tags or not.
        fc.pre(!/'[<>]/.test(text))
        const given = { ...values, n }
        const expected = new IntlMessageFormat(text, language, {}, { ignoreTag: true }).format(
          given,
        )
        assert.equal(write(text, language, given), String(expected))
      },
    ),
    { numRuns: 400 },
  )
})

test('times are written as Intl does, in UTC', () => {
  const at = new Date('2026-03-01T13:05:00Z')
  assert.equal(write('{at, date, long}, {at, time, short}', 'de', { at }), '1. März 2026, 13:05')
  assert.equal(write('{at, date}', 'es', { at: at.getTime() / 1000 }), '1 mar 2026')
})

test('values are escaped and the message is not', () => {
  const html = new LanguageFormats('en', (text) => text.replaceAll('<', '&lt;'))
  const parsed = parseMessage('<b>{name}</b> {n, plural, other {<i>#</i>}}')
  assert.equal(parsed.format({ name: '<x>', n: 2 }, html), '<b>&lt;x></b> <i>2</i>')
  assert.deepEqual([...parsed.names], ['name', 'n'])
})

for (const [text, reason] of [
  ['{', 'not a name, after "{"'],
  ['a}', 'a } that nothing opens, after "a"'],
  ['{n, plural, one {x}}', 'a choice without the case "other", after "{n, plural, one {x}"'],
  ['{n, plural, some {x} other {}}', 'not a case such as other, after "{n, plural, "'],
  [
    '{n, money}',
    'the kind "money": use number, date, time, plural, selectordinal or select, after "{n, money"',
  ],
  ['{n, number, €}', 'the style "€" of a number, after "{n, number, €"'],
  ['{n number}', 'no , where one is needed, after "{n "'],
  ['{n, select, other {x}', 'not a case such as other, after "{n, select, other {x}"'],
] as const) {
  test(`"${text}" is refused with what is wrong and where`, () => {
    assert.throws(() => parseMessage(text), { code: 'E_MESSAGE', message: reason })
  })
}

test('a value that is missing or of another kind is an error that does not show it', () => {
  for (const [text, given, message] of [
    ['{name}', {}, 'the message needs a value for {name}, got undefined'],
    ['{n, number}', { n: 'secret' }, 'the message needs a number for {n}, got string'],
    [
      '{at, date}',
      { at: 'secret' },
      'the message needs a Date or epoch seconds for {at}, got string',
    ],
  ] as const) {
    assert.throws(() => write(text, 'en', given), { code: 'E_MESSAGE', message })
  }
})
