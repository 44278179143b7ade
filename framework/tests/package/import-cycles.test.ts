import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findImportCycles } from './import-cycles.ts'
import { plantTree } from './planted-tree.ts'

const src = join(import.meta.dirname, '..', '..', 'src')

test('src has no import cycles, not even of types', () => {
  assert.deepEqual(findImportCycles(src), [])
})

test('a cycle through type imports is found', (t) => {
  const folder = plantTree(t, {
    'base/a.ts': `import { b } from './b.ts'`,
    'base/b.ts': `export type B = import('./c.ts').C`,
    'base/c.ts': `import type { A } from './a.ts'`,
    'base/d.ts': `import { a } from './a.ts'\nimport { b } from './b.ts'`,
  })
  assert.deepEqual(findImportCycles(folder), ['base/a.ts → base/b.ts → base/c.ts → base/a.ts'])
})

test('a cycle of two further down, and a file that imports itself, are found', (t) => {
  const folder = plantTree(t, {
    'base/a.ts': `import './b.ts'`,
    'base/b.ts': `import './c.ts'`,
    'base/c.ts': `export * from './b.ts'`,
    'base/d.ts': `import './d.ts'`,
  })
  assert.deepEqual(findImportCycles(folder), [
    'base/b.ts → base/c.ts → base/b.ts',
    'base/d.ts → base/d.ts',
  ])
})

test('two paths to the same file are not a cycle', (t) => {
  const folder = plantTree(t, {
    'base/top.ts': `import './left.ts'\nimport './right.ts'`,
    'base/left.ts': `import './bottom.ts'`,
    'base/right.ts': `import './bottom.ts'`,
    'base/bottom.ts': '',
  })
  assert.deepEqual(findImportCycles(folder), [])
})
