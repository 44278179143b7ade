import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_EDITOR, editorLink } from './editor-link.ts'

const at = { file: '/app/x.ts', line: 3, column: 5 }

test('a place opens in Visual Studio Code by default', () => {
  assert.equal(editorLink(DEFAULT_EDITOR, at), 'vscode://file/app/x.ts:3:5')
})

test('a template of another editor is filled in', () => {
  assert.equal(
    editorLink('phpstorm://open?file={file}&line={line}', at),
    'phpstorm://open?file=/app/x.ts&line=3',
  )
  assert.equal(editorLink('x-ed:{file}#{line},{column}', at), 'x-ed:/app/x.ts#3,5')
})

test('the path is encoded, so that it cannot become another part of the URL', () => {
  const file = '/my app/a?b#c&d=%41{line}/ü"<.ts'
  assert.equal(
    editorLink('ed://open?file={file}&line={line}', { ...at, file }),
    'ed://open?file=/my%20app/a%3Fb%23c%26d%3D%2541%7Bline%7D/%C3%BC%22%3C.ts&line=3',
  )
  assert.equal(editorLink('ed:{file}', { ...at, file: '/a\uD800.ts' }), 'ed:/a%EF%BF%BD.ts')
})

test('a path with a drive keeps it', () => {
  const link = editorLink(DEFAULT_EDITOR, { ...at, file: 'C:\\my app\\x.ts' })
  assert.equal(link, 'vscode://file/C:/my%20app/x.ts:3:5')
})

test('an unknown line or column is the first', () => {
  assert.equal(
    editorLink(DEFAULT_EDITOR, { ...at, line: 0, column: 0 }),
    'vscode://file/app/x.ts:1:1',
  )
})

test('an unsafe or invalid template is replaced by the default', () => {
  for (const template of [
    'javascript:alert(1)//{file}',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,{file}',
    'vbscript:x',
    'blob:x',
    '/open?file={file}',
    '//host/{file}',
    '',
  ]) {
    assert.equal(editorLink(template, at), 'vscode://file/app/x.ts:3:5', JSON.stringify(template))
  }
})

test('anything but an absolute path has no link', () => {
  for (const file of ['node:fs', '<anonymous>', 'index 0', '', 'x.ts']) {
    assert.equal(editorLink(DEFAULT_EDITOR, { ...at, file }), '')
  }
})
