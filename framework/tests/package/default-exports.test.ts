import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findDefaultExports } from './default-exports.ts'
import { plantTree } from './planted-tree.ts'

test('src has no default exports', () => {
  assert.deepEqual(findDefaultExports(join(import.meta.dirname, '..', '..', 'src')), [])
})

for (const line of [
  'export default 1',
  'export default { name: 1 }',
  'export default function start() {}',
  'export default async () => {}',
  'export default class Server {}',
  'export default interface Server {}',
  'const server = 1; export { server as default }',
  `export { default } from './server.ts'`,
  `export { Server as default } from './server.ts'`,
]) {
  test(`a default export is found in: ${line}`, (t) => {
    const folder = plantTree(t, { 'web/a.ts': line })
    assert.deepEqual(findDefaultExports(folder), ['web/a.ts:1 exports a default'])
  })
}

test('other uses of the word default are ignored', (t) => {
  const folder = plantTree(t, {
    'web/a.ts': [
      `import Eta, { default as other } from 'eta'`,
      `export { default as Engine } from 'eta'`,
      `switch (Eta) { default: break }`,
      'export const options = { default: 1 }',
      '// export default 1',
    ].join('\n'),
  })
  assert.deepEqual(findDefaultExports(folder), [])
})
