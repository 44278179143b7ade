import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const repository = join(import.meta.dirname, '..', '..', '..')

/**
 * Type-checks `source` in `folder`, where the package is installed, with the strictest settings a
 * user may have, including the package's declarations. Returns the compiler's output.
 */
export function compileConsumer(folder: string, source: string): string {
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [join(repository, 'node_modules', '@types')],
  }
  writeFileSync(join(folder, 'consumer.ts'), source)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
  )
  return runCompiler(folder)
}

/**
 * Runs the compiler on the project in `folder` and returns its output, empty if there are no errors and
 * no options that print more.
 */
export function runCompiler(folder: string, ...options: readonly string[]): string {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  const parameters = [join(typescript, 'bin', 'tsc'), '--project', folder, ...options]
  const { stdout, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' })
  return stdout + stderr
}
