import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { escapeHtml } from './escape-html.ts'

test('the five characters that end text or attributes are escaped', () => {
  assert.equal(
    escapeHtml(`<a href="x" title='y'>&</a>`),
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;',
  )
})

test('other text is unchanged', () => {
  assert.equal(escapeHtml('grüße 🙂'), 'grüße 🙂')
})

test('the escaped text holds none of them and reads back as the original', () => {
  const entities: Readonly<Record<string, string>> = {
    '&quot;': '"',
    '&amp;': '&',
    '&#39;': "'",
    '&lt;': '<',
    '&gt;': '>',
  }
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', ';') }), (text) => {
      const escaped = escapeHtml(text)
      assert.doesNotMatch(escaped, /[<>"']/)
      assert.equal(
        escaped.replaceAll(/&(?:quot|amp|#39|lt|gt);/g, (entity) => entities[entity] ?? ''),
        text,
      )
    }),
  )
})
