import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkExportsMap, exportedSubpaths } from './exports-map.ts'
import { plantTree } from './planted-tree.ts'

const framework = join(import.meta.dirname, '..', '..')

test('every subpath has its barrel and every barrel its subpath', () => {
  assert.ok(exportedSubpaths(framework).includes('framework'))
  assert.deepEqual(checkExportsMap(framework), [])
})

const entry = (name: string): Record<string, string> => ({
  source: `./src/public/${name}.ts`,
  types: `./dist/public/${name}.d.ts`,
  default: `./dist/public/${name}.js`,
})

const packageJson = (exports: unknown): string => JSON.stringify({ name: 'framework', exports })

test('a map that agrees with its barrels passes', (t) => {
  const folder = plantTree(t, {
    'package.json': packageJson({
      '.': entry('framework'),
      './http': entry('http'),
      './package.json': './package.json',
    }),
    'src/public/framework.ts': `export { A, type B } from '../base/a.ts'`,
    'src/public/http.ts': `export type { C } from '../web/c.ts'\nexport * as D from '../web/d.ts'`,
  })
  assert.deepEqual(checkExportsMap(folder), [])
})

test('a barrel without an entry and an entry without a barrel are found', (t) => {
  const folder = plantTree(t, {
    'package.json': packageJson({ '.': entry('framework'), './mail': entry('mail') }),
    'src/public/framework.ts': '',
    'src/public/http.ts': '',
  })
  assert.deepEqual(checkExportsMap(folder), [
    'framework/mail is in "exports" but has no ./src/public/mail.ts',
    'framework/http has a barrel but no entry in "exports"',
  ])
})

test('an entry whose conditions disagree, are missing or in another order is found', (t) => {
  const { source, types, default: code } = entry('http')
  const wanted = 'framework/http should map to'
  for (const http of [
    { source, types, default: './dist/public/mail.js' },
    { source, default: code },
    { types, source, default: code },
    './dist/public/http.js',
  ]) {
    const folder = plantTree(t, {
      'package.json': packageJson({ './http': http }),
      'src/public/http.ts': '',
    })
    assert.deepEqual(checkExportsMap(folder), [`${wanted} ${JSON.stringify(entry('http'))}`])
  }
})

test('a barrel may import a file for its side effects', (t) => {
  const folder = plantTree(t, {
    'package.json': packageJson({ './boot': entry('boot') }),
    'src/public/boot.ts': `import '../base/boot.ts'`,
  })
  assert.deepEqual(checkExportsMap(folder), [])
})

test('a barrel that does more than re-export names is found', (t) => {
  const folder = plantTree(t, {
    'package.json': packageJson({ '.': entry('framework') }),
    'src/public/framework.ts': [
      `export { A } from '../base/a.ts'`,
      `import { B } from '../base/b.ts'`,
      'export { B }',
      'export const C = 1',
      `export * from '../base/d.ts'`,
      `export { type E, type F } from '../base/e.ts'`,
      `import {} from '../base/g.ts'`,
      `import * as H from '../base/h.ts'`,
    ].join('\n'),
  })
  const rule = 'is no export from another file: a barrel holds nothing else'
  assert.deepEqual(checkExportsMap(folder), [
    `public/framework.ts:2 ${rule}`,
    `public/framework.ts:3 ${rule}`,
    `public/framework.ts:4 ${rule}`,
    'public/framework.ts:5 exports everything: name each export',
    'public/framework.ts:6 loads a file for its types alone: write "export type"',
    `public/framework.ts:7 ${rule}`,
    `public/framework.ts:8 ${rule}`,
  ])
})
