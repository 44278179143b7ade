import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { leaveOutParts, withoutParts } from './leave-out-parts.ts'
import { parts, withDependents } from './parts.ts'

const demo = join(import.meta.dirname, '..', '..', '..', '..', 'demo')

function plant(t: TestContext, files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-parts-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

test('every file that a part names is in the demo', () => {
  for (const { files } of Object.values(parts)) {
    for (const file of files) assert.ok(existsSync(join(demo, file)), file)
  }
})

test('a part that cannot be without another goes with it', () => {
  const dependents = Object.keys(parts).filter((name) => parts[name]?.needs === 'auth')
  assert.ok(dependents.length > 1)
  assert.deepEqual(withDependents(['auth', 'ci']), ['auth', 'ci', ...dependents])
  assert.deepEqual(withDependents(['activity']), ['activity'])
  assert.deepEqual(withDependents(['items']), ['items'])
})

test('files of a part that is left out go, and what others say of it', (t) => {
  const folder = plant(t, {
    'routes/items.ts': '',
    'routes/manifest.ts': 'a // part: items\nb // part: docker\n',
    Dockerfile: '',
  })
  leaveOutParts(folder, ['items'])
  assert.deepEqual(readdirSync(join(folder, 'routes')), ['manifest.ts'])
  assert.equal(readFileSync(join(folder, 'routes/manifest.ts'), 'utf8'), 'b\n')
  assert.ok(existsSync(join(folder, 'Dockerfile')))
})

test('a folder that loses its last file stays, also in git', (t) => {
  const folder = plant(t, { 'seeds/items.ts': '', 'views/home.template.html': '' })
  leaveOutParts(folder, ['items'])
  assert.deepEqual(readdirSync(join(folder, 'seeds')), ['.gitkeep'])
  assert.ok(!existsSync(join(folder, 'entities')))
})

test('a file that is no text stays as it is, byte by byte', (t) => {
  const bytes = Uint8Array.of(0xff, 0xd8, 0x00, 0x0a)
  const folder = plant(t, { 'public/photo.jpg': bytes })
  leaveOutParts(folder, ['items'])
  assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'public/photo.jpg'))), bytes)
})

const known = new Set(['items', 'accounts', 'mail-preview'])

function make(lines: readonly string[], ...left: string[]): readonly string[] {
  return withoutParts(lines.join('\n'), new Set(left), known).split('\n')
}

const module = [
  `import { Home } from './home.ts'`,
  `import { Items } from './items.ts' // part: items`,
  '',
  'export const manifest = [',
  '  Home,',
  '  Items, // part: items',
  ']',
]

test('a line of a part that is left out goes, every other one stays', () => {
  assert.deepEqual(make(module, 'items', 'accounts'), [
    `import { Home } from './home.ts'`,
    '',
    'export const manifest = [',
    '  Home,',
    ']',
  ])
})

test('of a part that stays only its marks go', () => {
  assert.deepEqual(
    make(module, 'accounts'),
    module.map((line) => line.replace(' // part: items', '')),
  )
  assert.deepEqual(make(['a', '  // part: items', '  b', '  // end: items', 'c']), [
    'a',
    '  b',
    'c',
  ])
})

test('a block goes whole, in every kind of comment that the scaffold has', () => {
  for (const [begin, end] of [
    ['// part: items', '// end: items'],
    ['  # part: items', '  # end: items'],
    ['<!-- part: items -->', '<!-- end: items -->'],
    ['/* part: items */', '/* end: items */'],
    ['<% /* part: items */ %>', '<% /* end: items */ %>'],
  ]) {
    assert.deepEqual(make(['a', begin ?? '', 'b', 'c', end ?? '', 'd'], 'items'), ['a', 'd'])
  }
})

test('where a block went one blank line stays, not two', () => {
  const text = ['a', '', '# part: items', 'b', '# end: items', '', 'c', '']
  assert.deepEqual(make(text, 'items'), ['a', '', 'c', ''])
  assert.deepEqual(make(['a', '', '', 'b']), ['a', '', '', 'b'])
})

test('a block inside another one goes with it, and alone when only its own part goes', () => {
  const text = [
    '// part: accounts',
    'a',
    '// part: items',
    'b',
    '// end: items',
    '// end: accounts',
  ]
  assert.deepEqual(make(text, 'items'), ['a'])
  assert.deepEqual(make(text, 'accounts'), [''])
})

test('what belongs to several parts stays as long as one of them does', () => {
  const text = ['a', 'b // part: items, mail-preview']
  assert.deepEqual(make(text, 'items'), ['a', 'b'])
  assert.deepEqual(make(text, 'items', 'mail-preview'), ['a'])
})

test('words that only look like a mark are left alone', () => {
  const text = [
    '// the best part: items',
    'const part = 1 // part: of it all',
    'part: items',
    '# Part: x',
  ]
  assert.deepEqual(make(text, 'items'), text)
})

test('a mark that names no part, and a block that is not closed as it was opened, are errors', () => {
  for (const [text, message] of [
    ['a // part: itmes', /unknown part "itmes"/],
    ['// part: items\na', /"part: items" is never closed/],
    ['a\n// end: items', /"end: items" closes nothing/],
    ['// part: items\n// end: accounts', /"end: accounts" closes "items"/],
  ] as const) {
    assert.throws(() => make([text]), { code: 'E_NEW', message })
  }
})
