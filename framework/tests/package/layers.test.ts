import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkLayers } from './layers.ts'
import { plantTree } from './planted-tree.ts'

const src = join(import.meta.dirname, '..', '..', 'src')

test('every file of src imports its own layer or a lower one', () => {
  const { files, edges, findings } = checkLayers(src)
  assert.deepEqual(findings, [])
  assert.equal(files, globSync('**/*.ts', { cwd: src }).length)
  assert.ok(files > 150, `saw only ${files} files`)
  assert.ok(edges > 600, `saw only ${edges} imports`)
})

const upward = 'base/low.ts:1 imports web/high.ts: base may not import web'

for (const [kind, line] of [
  ['a static import', `import { high } from '../web/high.ts'`],
  ['an import of a type', `import type { High } from '../web/high.ts'`],
  ['an inline type', `export const low: import('../web/high.ts').High = 1`],
  ['a dynamic import', `export const low = (await import('../web/high.ts')).high`],
  ['a dynamic import in a template', 'export const low = `${await import(`../web/high.ts`)}`'],
  ['an import for its effect', `import '../web/high.ts'`],
  ['a re-export', `export { high } from '../web/high.ts'`],
  ['a re-export of everything', `export * from '../web/high.ts'`],
  ['a re-export of a type', `export type { High } from '../web/high.ts'`],
] as const) {
  test(`${kind} that points upward is found`, (t) => {
    const folder = plantTree(t, { 'base/low.ts': line, 'web/high.ts': 'export const high = 1' })
    assert.deepEqual(checkLayers(folder), { files: 2, edges: 1, findings: [upward] })
  })
}

test('every step up the layers is found and every step down is allowed', (t) => {
  const layers = ['base', 'services', 'data', 'app', 'web', 'console', 'public']
  const importAll = layers.map((layer) => `import '../${layer}/other.ts'`).join('\n')
  const files = layers.flatMap((layer) => [
    [`${layer}/all.ts`, importAll],
    [`${layer}/other.ts`, ''],
  ])
  const { findings } = checkLayers(plantTree(t, Object.fromEntries(files)))
  const expected = layers.flatMap((from, rank) =>
    layers
      .slice(rank + 1)
      .map((to, step) => [`${from}/all.ts:${rank + step + 2}`, `${to}/other.ts`, from, to])
      .map(([place, file, low, high]) => `${place} imports ${file}: ${low} may not import ${high}`),
  )
  assert.equal(expected.length, 21)
  assert.deepEqual(findings.toSorted(), expected.toSorted())
})

test('text that only looks like an import is ignored', (t) => {
  const folder = plantTree(t, {
    'base/low.ts': [
      `// import '../web/a.ts'`,
      `/** import('../web/b.ts').T */`,
      `export const text = "import '../web/c.ts'"`,
      'export const more = `import("../web/d.ts") ${1 / 2} import("../web/e.ts")`',
      `export const pattern = /import '..\\/web\\/f.ts'/`,
    ].join('\n'),
  })
  assert.deepEqual(checkLayers(folder), { files: 1, edges: 0, findings: [] })
})

test('a file outside the layers, a missing file and a detour around the layers are found', (t) => {
  const folder = plantTree(t, {
    'loose.ts': '',
    'misc/thing.ts': '',
    'web/page.ts': [
      `import 'node:fs'`,
      `import 'pino'`,
      `import 'framework'`,
      `import 'framework/http'`,
      `import '#console'`,
      `import './missing.ts'`,
      `import '../../tests/support/server.ts'`,
    ].join('\n'),
    'web/page.test.ts': `import '../../tests/support/server.ts'\nimport '../../build.ts'`,
  })
  assert.deepEqual(checkLayers(folder).findings, [
    'loose.ts lies in no layer',
    'misc/thing.ts lies in no layer',
    'web/page.test.ts:2 imports ../build.ts, outside src',
    'web/page.ts:3 imports framework: inside, import the file itself',
    'web/page.ts:4 imports framework/http: inside, import the file itself',
    'web/page.ts:5 imports #console: inside, import the file itself',
    'web/page.ts:6 imports web/missing.ts, which does not exist',
    'web/page.ts:7 imports ../tests/support/server.ts, outside src',
  ])
})

test('a unit test follows the rule of its layer', (t) => {
  const folder = plantTree(t, {
    'base/low.test.ts': `import type { High } from '../web/high.ts'`,
    'web/high.ts': 'export type High = 1',
  })
  const upwardTest = upward.replace('low.ts', 'low.test.ts')
  assert.deepEqual(checkLayers(folder).findings, [upwardTest])
})
