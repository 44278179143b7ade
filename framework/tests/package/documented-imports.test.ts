import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readBarrels } from './barrels.ts'
import { codeBlocks } from './code-blocks.ts'
import { benchmarkSources, importsIn } from './documented-imports.ts'

const framework = join(import.meta.dirname, '..', '..')

test('blocks that are not run also import only existing names', () => {
  const imported = codeBlocks(join(framework, '..')).flatMap((block) =>
    importsIn(block).map(([module, name]) => ({
      place: `${block.page}:${block.line}`,
      module,
      name,
    })),
  )
  assert.ok(imported.length > 200)
  assertExported(imported)
})

test('the benchmarks import only existing names, though no test runs them', () => {
  const sources = benchmarkSources(join(framework, '..'))
  const imported = sources.flatMap(({ file, code }) =>
    importsIn({ code }).map(([module, name]) => ({ place: file, module, name })),
  )
  assert.ok(imported.length > 40)
  assertExported(imported)
})

function assertExported(
  imported: readonly { readonly place: string; readonly module: string; readonly name: string }[],
): void {
  const barrels = readBarrels(framework)
  for (const { place, module, name } of imported) {
    const barrel = barrels.get(module) ?? assert.fail(`${place} imports ${module}`)
    assert.ok(
      barrel.values.has(name) || barrel.types.has(name),
      `${place}: ${module} has no ${name}`,
    )
  }
}

test('imports are found over several lines, of types and with aliases', () => {
  const code = `import { A, type B } from 'framework'
import type { C as D } from 'framework/http'
import {
  E,
  F,
} from 'framework/orm'
import { G } from './framework.ts'`
  assert.deepEqual(importsIn({ code }), [
    ['framework', 'A'],
    ['framework', 'B'],
    ['framework/http', 'C'],
    ['framework/orm', 'E'],
    ['framework/orm', 'F'],
  ])
})
