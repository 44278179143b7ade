import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { cookbookProgram } from '../support/cookbook-program.ts'
import { blockContexts } from './block-contexts.ts'
import { codeBlocks } from './code-blocks.ts'
import { completed, documentedFiles, fragments } from './documented-files.ts'
import { fileOf } from './run-block.ts'
import { typeErrors } from './type-errors.ts'

const repository = join(import.meta.dirname, '..', '..', '..')

// One run of the compiler for all: most of it is reading the framework.
test('every TypeScript block in the documentation type-checks', async (t) => {
  const blocks = codeBlocks(repository)
  const programs = blocks.filter(({ label }) => label === 'run').map(fileOf)
  assert.ok(programs.length > 15)
  const files = documentedFiles(blocks)
  assert.ok(files.length > 15)
  const shown = [...Map.groupBy(files, ({ page }) => page)].flatMap(([page, own]) =>
    [...completed(own)].map(
      ([path, text]) => [join(page.replaceAll(/\W/g, '-'), path), text] as const,
    ),
  )
  const parts = fragments(blocks)
  assert.ok(parts.length > 15)
  const cookbook = ['cookbook.ts', cookbookProgram()] as const
  assert.equal(await typeErrors(t, [...programs, ...shown, ...parts, cookbook]), '')
})

test('what a page takes for granted is declared for pages that exist only', () => {
  const pages = new Set(codeBlocks(repository).map(({ page }) => page))
  assert.deepEqual(
    Object.keys(blockContexts).filter((page) => !pages.has(page)),
    [],
  )
})

test('files are separated by name, and partial ones are left out', () => {
  const code = [
    '// a/b.ts',
    "import 'x'",
    'b()',
    '',
    '// c.ts',
    '// no file',
    'c()',
    '// d.ts',
    "import 'y'",
  ].join('\n')
  const page = 'docs/a.md'
  assert.deepEqual(documentedFiles([{ page, line: 1, label: '', code }]), [
    { page, path: 'a/b.ts', line: 2, text: "import 'x'\nb()\n\n" },
    { page, path: 'd.ts', line: 9, text: "import 'y'" },
  ])
})
