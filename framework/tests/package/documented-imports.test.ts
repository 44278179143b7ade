import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readBarrels } from './barrels.ts'
import { codeBlocks } from './code-blocks.ts'
import { importsIn } from './documented-imports.ts'

const framework = join(import.meta.dirname, '..', '..')

test('blocks that are not run also import only existing names', () => {
  const barrels = readBarrels(framework)
  const imported = codeBlocks(join(framework, '..')).flatMap((block) =>
    importsIn(block).map(([module, name]) => ({
      place: `${block.page}:${block.line}`,
      module,
      name,
    })),
  )
  assert.ok(imported.length > 200)
  for (const { place, module, name } of imported) {
    const barrel = barrels.get(module) ?? assert.fail(`${place} imports ${module}`)
    assert.ok(
      barrel.values.has(name) || barrel.types.has(name),
      `${place}: ${module} has no ${name}`,
    )
  }
})

test('imports are found over several lines, of types and with aliases', () => {
  const code = `import { A, type B } from 'framework'
import type { C as D } from 'framework/http'
import {
  E,
  F,
} from 'framework/orm'
import { G } from './framework.ts'`
  assert.deepEqual(importsIn({ page: '', line: 1, label: '', code }), [
    ['framework', 'A'],
    ['framework', 'B'],
    ['framework/http', 'C'],
    ['framework/orm', 'E'],
    ['framework/orm', 'F'],
  ])
})
