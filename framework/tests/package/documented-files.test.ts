import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { codeBlocks } from './code-blocks.ts'
import { completed, documentedFiles } from './documented-files.ts'
import { fileOf } from './run-block.ts'
import { typeErrors } from './type-errors.ts'

const repository = join(import.meta.dirname, '..', '..', '..')

// One run of the compiler for both: most of it is reading the framework.
test('programs and project files shown in the documentation type-check', async (t) => {
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
  assert.equal(await typeErrors(t, [...programs, ...shown]), '')
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
    { page, path: 'a/b.ts', text: "import 'x'\nb()\n" },
    { page, path: 'd.ts', text: "import 'y'" },
  ])
})
