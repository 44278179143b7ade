import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { runCompiler } from './compile-consumer.ts'
import { makeWorkshop } from './run-block.ts'

/**
 * The errors that the compiler finds in files of the documentation, given by path; empty when there
 * are none.
 */
export async function typeErrors(
  t: TestContext,
  files: Iterable<readonly [path: string, text: string]>,
): Promise<string> {
  const workshop = await makeWorkshop()
  t.after(() => rm(workshop, { recursive: true, force: true }))
  for (const [path, text] of files) {
    const file = join(workshop, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  const compilerOptions = {
    // As in a project, see projectTsconfig(): examples may leave names unused and types implicit.
    noUnusedLocals: false,
    noUnusedParameters: false,
    isolatedDeclarations: false,
    declaration: false,
    moduleDetection: 'force',
  }
  const config = {
    extends: '../../../tsconfig.json',
    compilerOptions,
    include: ['**/*.ts'],
    exclude: [],
  }
  await writeFile(join(workshop, 'tsconfig.json'), JSON.stringify(config))
  return runCompiler(workshop)
}
