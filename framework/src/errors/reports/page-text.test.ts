import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cut, html, visible } from './page-text.ts'

test('invisible characters are shown as symbols, line ends and tabs are kept', () => {
  assert.equal(visible('a\0b\u001B[31mc\rd\u007F'), 'a␀b␛[31mc␍d␡')
  assert.equal(visible('a\n\tb'), 'a\n\tb')
  assert.equal(
    visible('pay\u202Eeno\u2066\u200B\uFEFF\u0085'),
    'pay[U+202E]eno[U+2066][U+200B][U+FEFF][U+0085]',
  )
})

test('ordinary text in any language is unchanged', () => {
  for (const text of ['', 'añb ü 你好 עברית 👩‍👩‍👧', '\u00A0']) assert.equal(visible(text), text)
})

test('text for HTML is escaped as well', () => {
  assert.equal(html('<a href="x">\u0007\'&'), '&lt;a href=&quot;x&quot;&gt;␇&#39;&amp;')
})

test('a text beyond the limit is cut, with the number of characters cut', () => {
  assert.equal(cut('abc', 3), 'abc')
  assert.equal(cut('abcdef', 3), 'abc… (3 more characters)')
})
