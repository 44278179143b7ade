import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, assert as holds, constantFrom, property, string } from 'fast-check'
import { maskText } from '../../base/mask-text.ts'
import { lineTokens } from './line-tokens.ts'
import type { TokenKinds } from './token.ts'

/** The parts of that kind, line after line. */
function parts(kind: TokenKinds, text: string, file = 'x.ts'): string[] {
  const lines = text.split('\n')
  return lines.flatMap((_, at) =>
    lineTokens(lines, at + 1, file)
      .filter((token) => token.kind === kind)
      .map((token) => token.text),
  )
}

test('the tokens of a line are the line, whatever the text', () => {
  const pieces = constantFrom(
    '`',
    '${',
    '}',
    '{',
    '/*',
    '*/',
    '/',
    '"',
    "'",
    '\\',
    '<%',
    '%>',
    '<!--',
    '-->',
    '<a b="',
    '>',
    '\n',
    ' ',
    'x',
    '1',
    'return',
    '#!',
    '.',
    '…',
    '\uD800',
    '\0',
  )
  const text = array(pieces, { maxLength: 60 }).map((list) => list.join(''))
  for (const file of ['x.ts', 'x.html', 'x.css']) {
    holds(
      property(text, string(), (made, any) => {
        const lines = `${made}\n${any}`.split('\n')
        for (const [at, line] of lines.entries()) {
          const tokens = lineTokens(lines, at + 1, file)
          assert.equal(tokens.map((token) => token.text).join(''), maskText(line))
          assert.ok(tokens.every((token) => token.text !== ''))
        }
      }),
    )
  }
})

test('a comment that starts above is recognised', () => {
  assert.deepEqual(parts('comment', 'a /* one\n "two"\n three */ b // four'), [
    '/* one',
    ' "two"',
    ' three */',
    '// four',
  ])
  assert.deepEqual(parts('comment', '#!/usr/bin/env node\n#x'), ['#!/usr/bin/env node'])
})

test('a template literal that starts above is text, the code inside it is code', () => {
  const text = 'a = `one\n // two ${ { b: `in ${c} ner` } } three\n four` + `\\`five` // six'
  assert.deepEqual(parts('text', text), [
    '`one',
    ' // two ${',
    '`in ${',
    '} ner`',
    '} three',
    ' four`',
    '`\\`five`',
  ])
  assert.deepEqual(parts('comment', text), ['// six'])
})

test('a dollar sign, a backslash at the end and a lone brace do not confuse a template', () => {
  assert.deepEqual(parts('text', '`$ $$ } \\\n$`; a'), ['`$ $$ } \\', '$`'])
  assert.deepEqual(parts('text', '} } `a`'), ['`a`'])
})

test('a slash is division after a value and starts a regular expression elsewhere', () => {
  assert.deepEqual(parts('text', 'a / b / c; (a) / 2 / d; 4 / 2 / 1; x[0] / y / z'), [])
  assert.deepEqual(parts('text', String.raw`return /[/'"]\/+/gu.test(a); b = /x/; [/y/]`), [
    String.raw`/[/'"]\/+/gu`,
    '/x/',
    '/y/',
  ])
})

test('strings end at their quote, a lone apostrophe is not a string', () => {
  assert.deepEqual(parts('text', `f("a\\"b", 'c"d', "")`), ['"a\\"b"', `'c"d'`, '""'])
  assert.deepEqual(parts('text', `don't\n'x'`), ["'x'"])
})

test('keywords are highlighted, members with the same name are not', () => {
  assert.deepEqual(parts('keyword', 'return promise.catch(x => x.default); [...new Set(y)]'), [
    'return',
    'new',
  ])
  assert.deepEqual(parts('keyword', 'type A = B\nconst type = from(of)\nfor (const a of b) {}'), [
    'type',
    'const',
    'for',
    'const',
    'of',
  ])
})

test('literals, types and calls have kinds of their own', () => {
  assert.deepEqual(parts('literal', 'x1 = 1_000 + 0xff + 1.5e3 + null; this.y = MAX_SIZE'), [
    '1_000',
    '0xff',
    '1.5e3',
    'null',
    'this',
    'MAX_SIZE',
  ])
  assert.deepEqual(parts('type', 'new Users() as Promise<string>'), ['Users', 'Promise'])
  assert.deepEqual(parts('name', 'a.load(b, c (d))'), ['load'])
})

test('JSON is split like a script', () => {
  assert.deepEqual(parts('text', '{ "a": ["b", 1, true] }', 'x.json'), ['"a"', '"b"'])
})

test('code in templates is split as code, wherever it stands; the HTML around it is plain', () => {
  const text =
    '<!-- one\ntwo --><p class="a <%= it.b("c") %> d" <% if (x) { %>hidden<% } %>>\n<%~ `e\nf` %>g'
  assert.deepEqual(parts('text', text, 'x.template.html'), ['"c"', '`e', 'f`'])
  assert.deepEqual(parts('comment', text, 'x.template.html'), ['<!-- one', 'two -->'])
  assert.deepEqual(parts('keyword', text, 'x.html').slice(0, 3), ['<%=', '%>', '<%'])
  assert.ok(parts('plain', text, 'x.html').includes('<p class="a '))
})

test('other files are plain', () => {
  const lines = ['return "x" // y', '']
  assert.deepEqual(lineTokens(lines, 1, 'x.css'), [{ kind: 'plain', text: lines[0] }])
  assert.deepEqual(lineTokens(lines, 2, 'x.css'), [])
})

test('a line that the file does not have has no tokens', () => {
  for (const number of [0, -1, 3, 1e9]) assert.deepEqual(lineTokens(['a', 'b'], number, 'x.ts'), [])
})

test('a file is split once, whichever lines are asked for', () => {
  const lines = ['a', 'b', 'c', 'd']
  const second = lineTokens(lines, 2, 'x.ts')
  lines[3] = 'changed'
  assert.equal(lineTokens(lines, 2, 'x.ts'), second)
  assert.deepEqual(lineTokens(lines, 4, 'x.ts'), [{ kind: 'plain', text: 'd' }])
})

test('secrets in URLs of the source are replaced', () => {
  assert.deepEqual(parts('text', "connect('redis://:planted@cache')"), [
    "'redis://[redacted]@cache'",
  ])
})

test('a hostile line costs no more than its length', () => {
  const started = process.cpuUsage()
  for (const piece of ['"', "'", '/', '/[', '`${', '\\', '<', '<!', '<%', 'type ']) {
    for (const file of ['x.ts', 'x.html']) lineTokens([piece.repeat(1_000)], 1, file)
  }
  assert.ok(process.cpuUsage(started).user < 1_000_000)
})
