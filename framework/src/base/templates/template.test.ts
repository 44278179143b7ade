import assert from 'node:assert/strict'
import { test } from 'node:test'

import { escapeHtml } from '../encoding/escape-html.ts'
import { Template } from './template.ts'
import { TemplateError } from './template-error.ts'

const runtime = {
  escape: escapeHtml,
  asset: (name: unknown) => `/${String(name)}`,
  include: () => assert.fail('nothing is included here'),
}

function template(source: string): Template {
  return new Template({
    name: 'page',
    file: '/srv/views/page.template.html',
    label: 'views/page.template.html',
    source,
  })
}

function rendered(source: string, it: object = {}): string {
  return template(source).render(it, runtime)
}

function failure(run: () => unknown): TemplateError {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof TemplateError, `not a TemplateError: ${String(error)}`)
    return error
  }
  return assert.fail('nothing was thrown')
}

test('<%= escapes, <%~ does not, and null and undefined print nothing', () => {
  const it = { html: `<b a="1" b='2'>&</b>`, zero: 0, no: false }
  assert.equal(
    rendered('<%= it.html %>', it),
    '&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;&lt;/b&gt;',
  )
  assert.equal(rendered('<%~ it.html %>', it), it.html)
  assert.equal(rendered('[<%= it.none %>|<%~ it.none %>|<%= null %>]', it), '[||]')
  assert.equal(rendered('<%= it.zero %> <%= it.no %> <%~ 5; %>', it), '0 false 5')
})

test('loops, conditions over several tags, comments and quotes work as in Eta', () => {
  const source = [
    `<% for (const name of it.names) { // each one %>`,
    `- <%= name /* the 'name' */ %>`,
    `<% } %>`,
    `<% if (it.names.length > 5) { %>`,
    `many`,
    `<% } %>`,
    `<% else { %>`,
    `it's "few" \\ \`done\` \u2028`,
    `<% } %>`,
  ].join('\n')
  assert.equal(
    rendered(source, { names: ['Ada', '<Bob>'] }),
    `- Ada- &lt;Bob&gt;it's "few" \\ \`done\` \u2028\n`,
  )
})

test('an assignment to an undeclared name is an error, not a global shared by all requests', () => {
  const error = failure(() => rendered('\n<% leaked = 1 %>'))
  assert.equal(error.line, 2)
  assert.equal('leaked' in globalThis, false)
})

test('output and capture write into the page and out of it', () => {
  assert.equal(
    rendered(`<% output('a') %>b<% const c = capture(() => { %>c<% }) %>[<%= c %>]`),
    'ab[c]',
  )
})

const places: Array<[title: string, source: string, line: number]> = [
  ['an interpolation', 'a\nb\n<%= it.user.name %>\nd', 3],
  ['a raw interpolation', 'a\n<%~ it.user.name %>', 2],
  ['the second of two tags on a line', '\n\n<%= 1 %><%= it.user.name %>', 3],
  ['a tag whose code starts below its opening', '<%\n\n  it.user.name\n%>', 3],
  ['a later line of a long tag', '<% let a = 1\nlet b = 2\nlet c = it.user.name\nlet d = 4 %>', 3],
  ['a later line of a long interpolation', 'x\n<%= [\n  1,\n  it.user.name,\n] %>', 4],
  [
    'code after tags with trimmed line ends',
    '<% let a = 1 %>\n<% let b = 2 %>\n<% it.user.name %>',
    3,
  ],
  [
    'a callback over several tags',
    '<% [1].forEach((n) => { %>\n<p>\n<%= it.user.name %>\n<% }) %>',
    3,
  ],
  ['a file with Windows line ends', 'a\r\nb\r\n<% let x = 1\r\nit.user.name %>', 4],
  [
    'a file with a byte order mark and odd separators',
    '\uFEFFa\u2028b\u2028\u2028\n<%= it.user.name %>\nc\n<%= 1 %>\nd\n<%= 2 %>',
    2,
  ],
  ['text with quotes and backslashes before', `it's\n\\ "q"\n<%= it.user.name %>`, 3],
]
for (const [title, source, line] of places) {
  test(`a failure at run time has the right line in ${title}`, () => {
    const error = failure(() => rendered(source))
    assert.equal(error.line, line)
    assert.equal(error.code, 'E_TEMPLATE_RENDER')
    assert.match(error.message, new RegExp(`^views/page\\.template\\.html:${line}: Cannot read`))
    assert.ok(error.cause instanceof TypeError)
  })
}

test('an error without a frame of the template has the line of the tag that ran', () => {
  const made = new Error('made elsewhere')
  made.stack = 'Error: made elsewhere\n    at far (/srv/away.ts:1:1)'
  const it = {
    fail: () => {
      throw made
    },
  }
  assert.equal(failure(() => rendered('a\n<%= it.fail() %>\n<%= 1 %>', it)).line, 2)
  assert.equal(failure(() => rendered('<%= 1 %>\n\n<p>\n<% it.fail() %>', it)).line, 4)
  const deep = (depth: number): number => (depth === 0 ? it.fail() : deep(depth - 1) + 1)
  assert.equal(failure(() => rendered('\n\n<%= it.deep(50) %>', { deep })).line, 3)
})

test('a thrown value that is not an Error is kept as the cause', () => {
  const error = failure(() => rendered(`a\n<%= (() => { throw 'plain' })() %>`))
  assert.equal(error.cause, 'plain')
  assert.equal(error.line, 2)
  assert.match(error.message, /:2: plain\n/)
})

test('a message that quotes the file with another line does not confuse the line', () => {
  const it = { path: '/srv/views/page.template.html:99:1' }
  assert.equal(
    failure(() => rendered('\n<% throw new Error("\\n" + it.path) %>\n\n\n', it)).line,
    2,
  )
})

test('a template that returns early is an error that says what to do', () => {
  const error = failure(() => rendered('a\n<p>\n<% if (!it.user) return %>\nb'))
  assert.match(error.message, /:3: the template returned before its end/)
})

const broken: Array<[title: string, source: string, line: number, reason: RegExp]> = [
  ['an unclosed tag', 'a\nb <%= it.x\nc', 2, /unclosed tag/],
  ['an unclosed string', 'a\n\n<% "oops %>', 3, /unclosed string/],
  ['a missing bracket', 'a\n<%= foo(1 %>\nc', 2, /Unexpected token/],
  ['a wrong word', 'a\n<% let a = 1\nlet let = 2 %>', 3, /reserved word/],
  ['an extra closing brace', 'a\n<% } %>\nb\nc', 2, /Unexpected token '}'/],
  ['an unclosed block', 'a\n<% if (it.x) { %>\nb', 3, /opened in a tag and never closed/],
  ['an empty interpolation', '\n\n<%= %>', 3, /Unexpected token/],
  ['await', '\n<%= await it.x %>', 2, /cannot await/],
]
for (const [title, source, line, reason] of broken) {
  test(`${title} is found when the template is compiled and has its line`, () => {
    const error = failure(() => template(source))
    assert.equal(error.code, 'E_TEMPLATE_COMPILE')
    assert.equal(error.line, line, error.message)
    assert.match(error.message.split('\n')[0] ?? '', reason)
    assert.ok(error.cause instanceof Error)
  })
}

test('the message shows five lines and marks the failing one; the stack starts with the template', () => {
  const source = 'one\ntwo\nthree\n<%= it.a.b %>\nfive\nsix\nseven'
  const error = failure(() => rendered(source))
  assert.equal(
    error.message,
    [
      `views/page.template.html:4: Cannot read properties of undefined (reading 'b')`,
      '',
      '  2 | two',
      '  3 | three',
      '> 4 | <%= it.a.b %>',
      '  5 | five',
      '  6 | six',
    ].join('\n'),
  )
  assert.equal(error.file, '/srv/views/page.template.html')
  assert.equal(error.name, 'TemplateError')
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  assert.equal(frames[0], '    at template (/srv/views/page.template.html:4:1)')
  assert.ok(frames.length > 1)
})
