import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { checkErrorTable } from './error-table.ts'
import { plantTree } from './planted-tree.ts'

const framework = join(import.meta.dirname, '..', '..')

test('docs/errors.md lists exactly the error codes of the framework', () => {
  const page = join(framework, '..', 'docs', 'errors.md')
  assert.deepEqual(checkErrorTable(join(framework, 'src', 'base'), page), [])
})

const catalogue = `export const errorCodes = {
  E_FIRST: 'One.',
  E_SECOND: 'Two.',
} as const`

function objections(t: TestContext, ...rows: string[]): string[] {
  const page = ['| Code | Meaning | What to do |', '|---|---|---|', ...rows].join('\n')
  const folder = plantTree(t, { 'error-codes.ts': catalogue, 'errors.md': page })
  return checkErrorTable(folder, join(folder, 'errors.md'))
}

const first = '| `E_FIRST` | One. | Do one. |'
const second = '| `E_SECOND` | Two, `a \\| b`. | Do two. |'

test('a complete table passes', (t) => {
  assert.deepEqual(objections(t, first, second), [])
})

test('a code without a row is found', (t) => {
  assert.deepEqual(objections(t, second), ['E_FIRST is not documented'])
})

test('a row without a code in the catalogue is found', (t) => {
  const third = '| `E_THIRD` | Three. | Do three. |'
  assert.deepEqual(objections(t, first, second, third), [
    'E_THIRD is documented but not in the catalogue',
  ])
})

test('a duplicate row and an empty row are found', (t) => {
  assert.deepEqual(objections(t, first, first, second), ['E_FIRST is documented twice'])
  for (const row of ['| `E_SECOND` | Two. | |', '| `E_SECOND` | Two. |']) {
    assert.deepEqual(objections(t, first, row), ['E_SECOND needs a meaning and what to do'])
  }
})
