import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { defineLanguages } from './languages.ts'

const en = {
  title: 'Items',
  count: '{count, plural, one {# item} other {# items}}',
  greeting: 'Hello, {name}',
  'Sign in': 'Log in',
} as const

const languages = defineLanguages({
  default: 'en',
  messages: {
    en,
    de: { title: 'Artikel', count: '{count, plural, one {# Artikel} other {# Artikel}}' },
    'pt-BR': { title: 'Itens' },
    ar: {},
  },
})

test('a message is written in its language, and one that is missing in the default one', () => {
  assert.equal(languages.in('de').html('title'), 'Artikel')
  assert.equal(languages.in('de')('count', { count: 1200 }), '1.200 Artikel')
  assert.equal(languages.in('de')('greeting', { name: 'Ada' }), 'Hello, Ada')
  assert.equal(languages.in(null)('count', { count: 1 }), '1 item')
  assert.equal(languages.in('tlh')('title'), 'Items')
})

test('a missing value and an unknown key do not compile', () => {
  const t = languages.in('de')
  // @ts-expect-error -- {name} is missing
  assert.throws(() => t('greeting', {}), { code: 'E_MESSAGE' })
  // @ts-expect-error -- so are all values
  assert.throws(() => t('greeting'), { code: 'E_MESSAGE' })
  // @ts-expect-error -- a number is needed
  assert.throws(() => t('count', { count: 'two' }), { code: 'E_MESSAGE' })
  // @ts-expect-error -- there is no such message
  assert.equal(t('titel'), 'titel')
})

test('a text of the framework is its own key, in every language that does not change it', () => {
  const t = languages.within([]).in('en')
  assert.equal(t('Sign in'), 'Log in')
  assert.equal(t("Don't {do} this"), "Don't {do} this")
})

test('as HTML a message is left as it is, and its values are escaped', () => {
  assert.equal(languages.in('en').html('greeting', { name: '<b>' }), 'Hello, &lt;b&gt;')
})

test('texts of the framework stand below those of the project, and those of a region above its language', () => {
  const folder = mkdtempSync(join(tmpdir(), 'messages-'))
  try {
    writeFileSync(join(folder, 'de.json'), JSON.stringify({ Yes: 'Ja', No: 'Nein' }))
    writeFileSync(join(folder, 'de-AT.json'), JSON.stringify({ No: 'Na' }))
    const own = { de: { Yes: 'Jawohl' }, 'de-AT': {}, en: {} }
    const given = defineLanguages({ default: 'en', messages: own }).within([folder])
    const write = (language: string, key: string): string => given.in(language)(key)
    assert.deepEqual(
      ['de', 'de-AT', 'en'].map((name) => [write(name, 'Yes'), write(name, 'No')]),
      [
        ['Jawohl', 'Nein'],
        ['Jawohl', 'Na'],
        ['Yes', 'No'],
      ],
    )
    assert.deepEqual([given.knows('No'), given.knows('Maybe')], [true, false])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what the framework says in a language is read and parsed before a request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'messages-'))
  const file = join(folder, 'de.json')
  writeFileSync(file, JSON.stringify({ Hello: 'Hallo, {name}' }))
  const given = languages.within([folder])
  await given.prepare()
  rmSync(folder, { recursive: true })
  assert.equal(given.in('de')('Hello', { name: 'Ada' }), 'Hallo, Ada')
})

for (const [header, expected] of [
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-CH, en;q=0.9', 'de'],
  ['pt', 'pt-BR'],
  ['fr, de;q=0.3, ar;q=0.7', 'ar'],
  ['fr;q=1, *', 'en'],
  ['de;q=x, ar;q=0.1', 'ar'],
  [`${'x,'.repeat(600)}de`, 'en'],
] as const) {
  test(`a browser that prefers ${header?.slice(0, 30) ?? 'nothing'} gets ${expected}`, () => {
    assert.equal(languages.preferred(header), expected)
  })
}

test('Arabic is written from right to left, and each language names itself', () => {
  assert.equal(languages.in('ar').direction, 'rtl')
  assert.equal(languages.in('de').direction, 'ltr')
  assert.deepEqual(
    languages.choices.map(({ name }) => name),
    ['English', 'Deutsch', 'português (Brasil)', 'العربية'],
  )
})

test('what a language lacks is listed, and values that only it has', () => {
  const differing = defineLanguages({
    default: 'en',
    messages: { en: { a: '{n}', b: 'B' }, de: { a: '{m}' } },
  })
  assert.deepEqual(differing.problems(), [
    { language: 'de', key: 'a', why: "has {m}, which 'en' lacks" },
    { language: 'de', key: 'b', why: 'is missing' },
  ])
})

test('a message that cannot be read and a language that is none are refused with their name', () => {
  assert.throws(() => defineLanguages({ default: 'en', messages: { en: { a: '{n' } } }), {
    code: 'E_MESSAGE',
    message: /^languages: 'a' in 'en' is no message: /,
  })
  assert.throws(() => defineLanguages({ default: 'de_DE', messages: { de_DE: {} } }), {
    code: 'E_MESSAGE',
    message: 'languages: "de_DE" is not a language such as de or pt-BR',
  })
})

test('marked texts stand between brackets', () => {
  assert.equal(languages.marked().in('de')('title'), '⟦Artikel⟧')
})

test('times are those of the zone, else of the one of the project, which languages made of one another share', () => {
  const texts = { at: '{at, date, short} {at, time, short}' } as const
  const own = defineLanguages({ default: 'de', messages: { de: texts } })
  const at = new Date('2026-10-25T00:30:00Z')
  own.within([]).useTimeZone('America/New_York')
  assert.equal(own.in('de', 'Europe/Berlin')('at', { at }), '25.10.26 02:30')
  for (const zone of [undefined, null, 'Europe/Bonn']) {
    const t = own.in('de', zone)
    assert.equal(t('at', { at }), '24.10.26 20:30')
    assert.deepEqual([t.timeZone, t.time(at)], ['America/New_York', '2026-10-24 20:30 UTC-4'])
    assert.equal(t.day(at).date, '2026-10-24')
  }
})
