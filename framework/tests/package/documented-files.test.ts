import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { codeBlocks } from './code-blocks.ts'
import { runCompiler } from './compile-consumer.ts'
import { completed, documentedFiles } from './documented-files.ts'
import { makeWorkshop } from './run-block.ts'

const repository = join(import.meta.dirname, '..', '..', '..')

test('project files shown in the documentation type-check', async (t) => {
  const files = documentedFiles(codeBlocks(repository))
  assert.ok(files.length > 15)
  const workshop = await makeWorkshop()
  t.after(() => rm(workshop, { recursive: true, force: true }))
  for (const [page, shown] of Map.groupBy(files, (file) => file.page)) {
    for (const [path, text] of completed(shown)) {
      const file = join(workshop, page.replaceAll(/\W/g, '-'), path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
  }
  const compilerOptions = {
    // As in a project, see projectTsconfig().
    noUnusedLocals: false,
    noUnusedParameters: false,
    isolatedDeclarations: false,
    declaration: false,
  }
  const config = {
    extends: '../../../tsconfig.json',
    compilerOptions,
    include: ['**/*.ts'],
    exclude: [],
  }
  await writeFile(join(workshop, 'tsconfig.json'), JSON.stringify(config))
  assert.equal(runCompiler(workshop), '')
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
