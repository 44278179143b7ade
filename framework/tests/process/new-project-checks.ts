import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, join } from 'node:path'
import type { TestContext } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import { leftovers } from './new-project-layout.ts'
import { tsc } from './new-project-workshop.ts'

type Program = readonly string[]

/** Asserts that its modules parse and that no markers of the scaffold are left in any file. */
export function assertReadable(app: string): void {
  assert.deepEqual(leftovers(app), [])
  const files = globSync(['**/*', '**/.*', '**/.*/**/*'], { cwd: app, withFileTypes: true })
  for (const entry of files.filter((file) => file.isFile() && !file.name.endsWith('.tgz'))) {
    const path = join(entry.parentPath, entry.name)
    const text = readFileSync(path, 'utf8')
    assert.doesNotMatch(text, /\b(part|end): [a-z-]+(?:, [a-z-]+)*(?: -->| \*\/.*)?$/m, path)
    if (path.endsWith('.ts')) stripTypeScriptTypes(text)
  }
}

const unusedToo = ['--noEmit', '--noUnusedLocals', '--noUnusedParameters']

/** Asserts that it type-checks and uses all that it declares. */
export async function assertTypes(t: TestContext, app: string): Promise<void> {
  const types = await runCommand(t, unusedToo, { cwd: app, program: [tsc] })
  assert.equal(types.status, 0, types.stdout)
}

/**
 * Asserts the same of several projects below `folder` with the same settings of the compiler, which checks
 * them together. The names say in a failure which project is which.
 */
export async function assertTypesOfAll(
  t: TestContext,
  folder: string,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const apps = [...names.keys()]
  const settings = new Set(apps.map((app) => readFileSync(join(app, 'tsconfig.json'), 'utf8')))
  assert.equal(settings.size, 1, 'the projects differ in their settings of the compiler')
  const config = {
    extends: `${apps[0]}/tsconfig.json`,
    include: apps,
    exclude: apps.map((app) => join(app, 'storage')),
  }
  const project = join(folder, 'tsconfig.all.json')
  writeFileSync(project, JSON.stringify(config))
  const flags = [...unusedToo, '--project', project]
  const types = await runCommand(t, flags, { cwd: folder, program: [tsc] })
  const which = [...names].map(([app, name]) => `${basename(app)} is ${name}`)
  assert.equal(types.status, 0, [types.stdout, ...which].join('\n'))
}

/**
 * Asserts that it serves its home page in development, and passes its own tests: all of them, or those that
 * match the patterns.
 */
export async function assertStarts(
  t: TestContext,
  app: string,
  program: Program,
  patterns: readonly string[] = [],
): Promise<void> {
  const flags = ['serve', '--port', '0', '--environment', 'development']
  const server = new RunningCommand(t, flags, { cwd: app, program })
  assert.equal((await fetch(await server.url())).status, 200)
  assert.equal(await server.stop(), 0, server.stderr)
  // In one process, which is twice as fast; the demo runs the same tests in separate ones.
  const run = ['--test', '--test-isolation=none', ...patterns]
  const tests = await runCommand(t, [], { cwd: app, program: run })
  assert.equal(tests.status, 0, tests.stdout)
}

// Read by the framework before there are scopes, or by the metrics shipper.
const besideScopes: ReadonlySet<string> = new Set([
  'FRAMEWORK_ENVIRONMENT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_EXPORTER_OTLP_COMPRESSION',
  'OTEL_SERVICE_NAME',
])

// Their default depends on the environment, which an example cannot know.
const byEnvironment: ReadonlySet<string> = new Set(['REQUEST_LOG', 'N_PLUS_ONE'])

/** Asserts that `.env.example` has exactly the variables of the project, with description and default. */
export async function assertSettings(t: TestContext, app: string, program: Program): Promise<void> {
  // Other commands of the tests turn this off; empty, it has its default.
  const env = { SLOW_QUERY_MS: '' }
  const shown = await runCommand(t, ['config', '--json'], { cwd: app, program, env })
  assert.equal(shown.status, 0, shown.stderr)
  const { settings } = JSON.parse(shown.stdout)
  const read = settings.map(({ variable, value, meaning }: Record<string, string>) => [
    variable,
    { value: byEnvironment.has(variable ?? '') ? '' : value, meaning },
  ])
  const told = exampleSettings(readFileSync(join(app, '.env.example'), 'utf8'))
  const scoped = told.filter(([name]) => !besideScopes.has(name))
  assert.deepEqual(Object.fromEntries(scoped), Object.fromEntries(read))
}

interface Told {
  readonly value: string
  readonly meaning: string
}

/** The settings of an example file: a description, then the assignment, usually commented out. */
function exampleSettings(text: string): [name: string, told: Told][] {
  const lines = text.split('\n')
  return lines.flatMap((line, at): [string, Told][] => {
    const [, name, value = ''] = /^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
    if (name === undefined) return []
    return [[name, { value, meaning: (lines[at - 1] ?? '').replace(/^# /, '') }]]
  })
}
