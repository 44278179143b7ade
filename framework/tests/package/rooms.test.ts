import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkRooms, readFloors } from './rooms.ts'
import { plantTree } from './planted-tree.ts'

const src = join(import.meta.dirname, '..', '..', 'src')
const floors = readFloors(join(src, '..', '..', 'docs', 'rooms.md'))
/** A house of three floors, one of them with two rooms. */
const planted = new Map([
  ['base', 0],
  ['queue', 1],
  ['cache', 1],
  ['web', 2],
])
const check = (folder: string) => checkRooms(folder, planted)
const others = { 'queue/a.ts': '', 'cache/a.ts': '' }

test('every file of src imports its own room or one on a lower floor', () => {
  const { files, edges, findings } = checkRooms(src, floors)
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
    const high = 'export const high = 1'
    const folder = plantTree(t, { ...others, 'base/low.ts': line, 'web/high.ts': high })
    assert.deepEqual(check(folder), { files: 4, edges: 1, findings: [upward] })
  })
}

test('every way to a floor that is not lower is found and every way down is allowed', (t) => {
  const rooms = [...planted.keys()]
  const importAll = rooms.map((room) => `import '../${room}/other.ts'`).join('\n')
  const files = rooms.flatMap((room) => [
    [`${room}/all.ts`, importAll],
    [`${room}/other.ts`, ''],
  ])
  const { findings } = check(plantTree(t, Object.fromEntries(files)))
  assert.deepEqual(
    findings.map((finding) => finding.replace(/.*: /, '')),
    [
      'base may not import queue',
      'base may not import cache',
      'base may not import web',
      'cache may not import queue',
      'cache may not import web',
      'queue may not import cache',
      'queue may not import web',
    ],
  )
})

test('the table of floors in the docs is read whole', () => {
  assert.equal(floors.get('base'), 0)
  assert.ok((floors.get('public') ?? 0) > (floors.get('console') ?? 0))
  assert.equal(floors.get('queue'), floors.get('cache'))
})

test('text that only looks like an import is ignored', (t) => {
  const folder = plantTree(t, {
    ...others,
    'web/a.ts': '',
    'base/low.ts': [
      `// import '../web/a.ts'`,
      `/** import('../web/b.ts').T */`,
      `export const text = "import '../web/c.ts'"`,
      'export const more = `import("../web/d.ts") ${1 / 2} import("../web/e.ts")`',
      `export const pattern = /import '..\\/web\\/f.ts'/`,
    ].join('\n'),
  })
  assert.deepEqual(check(folder), { files: 4, edges: 0, findings: [] })
})

test('a file outside the rooms, an empty room, a missing file and a detour are found', (t) => {
  const folder = plantTree(t, {
    'queue/a.ts': '',
    'cache/a.ts': '',
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
  assert.deepEqual(check(folder).findings, [
    'loose.ts lies in no room',
    'misc/thing.ts lies in no room',
    'base has a floor and no file',
    'web/page.test.ts:2 imports ../build.ts, outside src',
    'web/page.ts:3 imports framework: inside, import the file itself',
    'web/page.ts:4 imports framework/http: inside, import the file itself',
    'web/page.ts:5 imports #console: inside, import the file itself',
    'web/page.ts:6 imports web/missing.ts, which does not exist',
    'web/page.ts:7 imports ../tests/support/server.ts, outside src',
  ])
})

test('a unit test may set its stage with a room above its own, but not with a barrel', (t) => {
  const folder = plantTree(t, {
    ...others,
    'base/low.test.ts': `import '../web/high.ts'\nimport '../public/web.ts'`,
    'web/high.ts': '',
    'public/web.ts': '',
  })
  assert.deepEqual(checkRooms(folder, new Map([...planted, ['public', 3]])).findings, [
    'base/low.test.ts:2 imports public/web.ts: base may not import public',
  ])
})
