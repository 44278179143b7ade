import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPackedFiles } from './packed-files.ts'
import { plantTree } from './planted-tree.ts'

const map = (source: string, content?: string): string =>
  JSON.stringify({ version: 3, sources: [source], sourcesContent: content && [content] })

const good = {
  'package.json': '{}',
  'bin/framework.js': '',
  'dist/base/errors.js': 'export {}',
  'dist/base/errors.d.ts': 'export {}',
  'dist/base/errors.js.map': map('../../src/base/errors.ts', 'export {}'),
  'dist/accounts/module/public/app.js': '',
  'dist/accounts/module/views/accounts/login.template.html': '',
  'scaffold/package.json': '{}',
  'scaffold/gitignore': '',
  'scaffold/.env.example': '',
  'scaffold/tests/home.test.ts': '',
}

test('a package with the expected files passes', (t) => {
  assert.deepEqual(checkPackedFiles(plantTree(t, good), ['/home/builder']), [])
})

for (const [path, content, finding] of [
  ['src/base/errors.ts', '', 'src/base/errors.ts is not expected'],
  ['dist/base/notes.txt', '', 'dist/base/notes.txt is not expected'],
  ['scaffold/storage/app.sqlite', '', 'scaffold/storage/app.sqlite is not expected'],
  ['scaffold/.env', 'APP_KEY=secret', 'scaffold/.env is not expected'],
  ['scaffold/.env.production', '', 'scaffold/.env.production is not expected'],
  ['scaffold/web/node_modules/x.js', '', 'scaffold/web/node_modules/x.js is not expected'],
  ['dist/base/errors.test.d.ts', '', 'dist/base/errors.test.d.ts is a test'],
  ['dist/base/errors.d.ts', '/home/builder/x', 'dist/base/errors.d.ts names /home/builder'],
  ['dist/base/other.js', '', 'dist/base/other.js has no map'],
  [
    'dist/base/errors.js.map',
    map('a.ts', ''),
    'dist/base/errors.js.map maps to a.ts, not ../../src/base/errors.ts',
  ],
  [
    'dist/base/errors.js.map',
    map('../../src/base/errors.ts'),
    'dist/base/errors.js.map does not hold its source',
  ],
] as const) {
  test(`a package fails the check when ${finding}`, (t) => {
    const folder = plantTree(t, { ...good, [path]: content })
    assert.deepEqual(checkPackedFiles(folder, ['/home/builder']), [finding])
  })
}
