import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { readBarrels } from './barrels.ts'
import { importedNames } from './imported-names.ts'
import { checkNames } from './names-table.ts'
import { plantTree } from './planted-tree.ts'

const framework = join(import.meta.dirname, '..', '..')

test('docs/names.md documents exactly the exported names', () => {
  assert.deepEqual(checkNames(framework, join(framework, '..', 'docs', 'names.md')), [])
})

test('every subpath can be imported and has exactly the values its barrel names', () => {
  const barrels = [...readBarrels(framework).values()]
  assert.ok(barrels.length > 0)
  const expected = barrels.map(({ subpath, values }) => [subpath, [...values].toSorted()])
  const subpaths = barrels.map(({ subpath }) => subpath)
  const found = importedNames(framework, subpaths, '--conditions=source')
  assert.deepEqual(found, Object.fromEntries(expected))
})

const barrel = `export { Server, type Options, Worker } from '../web/server.ts'
export type { Handler } from '../web/handler.ts'
export * as Resources from '../web/resources.ts'`

const rows = [
  '# Names',
  '## `framework/http`',
  '| Name | Kind | What it is |',
  '|---|---|---|',
  '| `Server` | class | listens |',
  '| `Options` | interface | what a server takes |',
  '| `Worker` | const | its events |',
  '| `Handler` | type | answers a request |',
  '| `Resources` | namespace | ready resources, `a | b` |',
]

function objections(t: TestContext, lines: string[]): string[] {
  const folder = plantTree(t, { 'src/public/http.ts': barrel, 'names.md': lines.join('\n') })
  return checkNames(folder, join(folder, 'names.md'))
}

test('a complete table passes', (t) => {
  assert.deepEqual(objections(t, rows), [])
})

for (const name of ['Server', 'Options', 'Handler', 'Resources']) {
  test(`an exported name without a row is found: ${name}`, (t) => {
    const without = rows.filter((row) => !row.includes(`\`${name}\``))
    assert.deepEqual(objections(t, without), [`${name} of framework/http is not documented`])
  })
}

test('a row for a name that is not exported, or not from there, is found', (t) => {
  const more = [
    ...rows,
    '| `Router` | class | gone |',
    '## `framework/mail`',
    '| `Server` | class | moved |',
  ]
  assert.deepEqual(objections(t, more), [
    'Router of framework/http is documented but not exported',
    'Server of framework/mail is documented but not exported',
  ])
})

test('a row that is duplicate, empty or of the wrong kind is found', (t) => {
  const twice = [...rows, '| `Worker` | const | again |']
  assert.deepEqual(objections(t, twice), ['Worker of framework/http is documented twice'])
  const wrong = rows.map((row) =>
    row.replace('| listens', '|').replace('| const', '| type').replace('| interface', '| class'),
  )
  assert.deepEqual(objections(t, wrong), [
    'Server of framework/http has an empty row',
    'Options of framework/http is not of kind class',
    'Worker of framework/http is not of kind type',
  ])
})
