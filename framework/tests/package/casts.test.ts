import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findBlindGuards, findCasts, knownCasts } from './casts.ts'
import { plantTree } from './planted-tree.ts'

const sources = join(import.meta.dirname, '..', '..', 'src')

test('the casts in the sources are exactly those of the list', () => {
  assert.deepEqual(findCasts(sources).sort(), Object.keys(knownCasts).sort())
})

test('no type guard in the sources is a cast in disguise', () => {
  assert.deepEqual(findBlindGuards(sources), [])
})

test('the linter allows casts only in the listed files', () => {
  const root = join(sources, '..', '..')
  const { overrides } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8'))
  const rule = 'typescript/consistent-type-assertions'
  const allowed = overrides.flatMap(({ files, rules }: Override) => (rule in rules ? files : []))
  const files = Object.keys(knownCasts).map((cast) => `framework/src/${cast.split(' ')[0]}`)
  assert.deepEqual(allowed.sort(), [...new Set(files)].sort())
})

interface Override {
  readonly files: readonly string[]
  readonly rules: object
}

for (const [line, finding] of [
  ['export const a = b as Row', 'web/a.ts as Row'],
  ['export const a = b as unknown as Row', 'web/a.ts as Row'],
  ['export const a = <Row>b', 'web/a.ts as Row'],
  ['export const a = b!', 'web/a.ts:1 !'],
] as const) {
  test(`a cast is found in: ${line}`, (t) => {
    assert.equal(findCasts(plantTree(t, { 'web/a.ts': line }))[0], finding)
  })
}

for (const line of [
  'function isRow(_row: unknown): _row is Row { return true }',
  'const isRow = (row: unknown): row is Row => size > 0',
  'class Store { #isRow(row: unknown): row is Row { return this.size > 0 } }',
]) {
  test(`a guard that ignores its value is found in: ${line}`, (t) => {
    const folder = plantTree(t, { 'web/a.ts': line })
    assert.deepEqual(findBlindGuards(folder), ['web/a.ts:1 looks at nothing'])
  })
}

test('other uses of `as` are not casts', (t) => {
  const folder = plantTree(t, {
    'web/a.ts': [
      `import { b as c } from './b.ts'`,
      `export * as d from './d.ts'`,
      `const e = ['a'] as const`,
      'const f = e satisfies readonly string[]',
      'function isText(value: unknown): value is string { return typeof value === "string" }',
    ].join('\n'),
  })
  assert.deepEqual([findCasts(folder), findBlindGuards(folder)], [[], []])
})
