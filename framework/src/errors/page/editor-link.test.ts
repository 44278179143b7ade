import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editorLink } from './editor-link.ts'

const at = { file: '/app/x.ts', line: 3, column: 5 }

test('a place opens in Visual Studio Code', () => {
  assert.equal(editorLink(at), 'vscode://file/app/x.ts:3:5')
})

test('the path is encoded, so that it cannot become another part of the URL', () => {
  assert.equal(
    editorLink({ ...at, file: '/my app/a?b#c&d=%41{line}/ü"<.ts' }),
    'vscode://file/my%20app/a%3Fb%23c%26d%3D%2541%7Bline%7D/%C3%BC%22%3C.ts:3:5',
  )
  assert.equal(editorLink({ ...at, file: '/a\uD800.ts' }), 'vscode://file/a%EF%BF%BD.ts:3:5')
})

test('a path with a drive keeps it', () => {
  const link = editorLink({ ...at, file: 'C:\\my app\\x.ts' })
  assert.equal(link, 'vscode://file/C:/my%20app/x.ts:3:5')
})

test('an unknown line or column is the first', () => {
  assert.equal(editorLink({ ...at, line: 0, column: 0 }), 'vscode://file/app/x.ts:1:1')
})

test('anything but an absolute path has no link', () => {
  for (const file of ['node:fs', '<anonymous>', 'index 0', '', 'x.ts']) {
    assert.equal(editorLink({ ...at, file }), '')
  }
})
