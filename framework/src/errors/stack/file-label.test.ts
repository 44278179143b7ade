import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileLabel } from './file-label.ts'

test('a file of the root is named from there', () => {
  assert.equal(fileLabel('/app/src/x.ts', '/app'), 'src/x.ts')
  assert.equal(fileLabel('/app/src/x.ts', '/app/'), 'src/x.ts')
  assert.equal(fileLabel('/app/node_modules/p/x.js', '/app'), 'node_modules/p/x.js')
  assert.equal(fileLabel('C:\\app\\src\\x.ts', 'C:\\app'), 'src\\x.ts')
  assert.equal(fileLabel('/x.ts', '/'), 'x.ts')
})

test('a folder that only shares a name prefix with the root is outside it', () => {
  assert.equal(fileLabel('/apple/x.ts', '/app'), '/apple/x.ts')
})

test('a package elsewhere is named from its node_modules, the last one', () => {
  assert.equal(fileLabel('/a/node_modules/p/node_modules/q/x.js', '/app'), 'node_modules/q/x.js')
})

test('other paths are unchanged', () => {
  for (const file of ['/else/x.ts', 'node:fs', '<anonymous>', '']) {
    assert.equal(fileLabel(file, '/app'), file)
  }
})
