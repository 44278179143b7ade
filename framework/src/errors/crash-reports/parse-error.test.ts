import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'
import { trackLoadedFiles } from './track-loaded-files.ts'
import { parseError, compileLocation } from './parse-error.ts'

const files = {
  'package.json': '{ "type": "module" }',
  'broken.js': '// one\nexport const a = 1\nexport const b = ;\n',
  'ends.js': 'export const a = {\n',
  'ends.ts': 'export const a: number = 1\nexport const b = {\n',
  'broken.ts': '// one\nexport const a: = 1\n',
  'twice.ts': 'const a: number = 1\nconst a = 2\n',
  'broken.cjs': 'const a = 1\nconst b = ;\n',
  'nested.js': `import './good.js'\nimport './broken.js'\n`,
  'lacks.js': `\nimport { nothing } from './good.js'\n`,
  'good.js': '\n\n\n\nexport const good = 1\n',
  'also.js': '\n\n\n\nexport const also = 1\n',
  'broken.json': '{ "a": }',
}

function plant(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-parse-'))
  t.after(() => rmSync(folder, { recursive: true }))
  t.after(trackLoadedFiles())
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

async function thrownBy(load: () => unknown): Promise<Error> {
  try {
    await load()
  } catch (thrown) {
    if (thrown instanceof Error) return thrown
  }
  throw new Error('nothing was thrown')
}

function placeOf(error: Error): unknown[] {
  const fatal = parseError(error)
  assert.equal(fatal?.severity, 4)
  assert.equal(fatal.cause, error)
  assert.equal(fatal.message, error.message)
  return [fatal.file, fatal.line]
}

for (const [name, broken, line] of [
  ['broken.js', 'broken.js', 3],
  ['ends.js', 'ends.js', 2],
  ['ends.ts', 'ends.ts', 2],
  ['broken.ts', 'broken.ts', 2],
  ['twice.ts', 'twice.ts', 2],
  ['broken.cjs', 'broken.cjs', 2],
  ['nested.js', 'broken.js', 3],
] as const) {
  test(`import and require of ${name} name line ${line} of ${broken}`, async (t) => {
    const folder = plant(t)
    const file = join(folder, name)
    const imported = await thrownBy(() => import(pathToFileURL(file).href))
    assert.deepEqual(placeOf(imported), [join(folder, broken), line])
    const again = plant(t)
    const required = await thrownBy(() => createRequire(import.meta.url)(join(again, name)))
    assert.deepEqual(placeOf(required), [join(again, broken), line])
  })
}

test('importing a name that is not exported reports that line', async (t) => {
  const file = join(plant(t), 'lacks.js')
  const imported = await thrownBy(() => import(pathToFileURL(file).href))
  assert.deepEqual(placeOf(imported), [file, 2])
})

test('requiring such a module reports no file rather than a wrong one', async (t) => {
  const file = join(plant(t), 'lacks.js')
  const required = await thrownBy(() => createRequire(import.meta.url)(file))
  assert.deepEqual(placeOf(required), ['', 0])
})

test('with concurrent imports, the one that failed is reported', async (t) => {
  const folder = plant(t)
  const load = (name: string): Promise<unknown> => import(pathToFileURL(join(folder, name)).href)
  const error = await thrownBy(() =>
    Promise.all([load('ends.js'), load('good.js'), load('also.js')]),
  )
  assert.deepEqual(placeOf(error), [join(folder, 'ends.js'), 2])
})

test('the same error always yields the same fatal error', async (t) => {
  const folder = plant(t)
  const error = await thrownBy(() => createRequire(import.meta.url)(join(folder, 'broken.cjs')))
  assert.equal(parseError(error), parseError(error))
})

test('other syntax errors are ordinary errors', async (t) => {
  const folder = plant(t)
  const require = createRequire(import.meta.url)
  const unclosed: string = '('
  for (const load of [
    () => JSON.parse('{ "a": }'),
    () => require(join(folder, 'broken.json')),
    () => new RegExp(unclosed),
    () => runInThisContext('const b = ;', { filename: join(folder, 'view.js') }),
    () => {
      throw new SyntaxError('of my own')
    },
    () => {
      throw new TypeError('of another class')
    },
  ]) {
    assert.equal(parseError(await thrownBy(load)), null)
  }
})

test('an error is fatal even if its file is unknown', () => {
  const error = new SyntaxError('Unexpected token')
  error.stack = 'SyntaxError: x\n    at compile (node:internal/modules/esm/utils:1:1)'
  const fatal = parseError(error)
  assert.deepEqual([fatal?.file, fatal?.line, fatal?.severity], ['', 0, 4])
})

test('an error with throwing getters is not a fatal error', () => {
  const error = Object.defineProperty(new SyntaxError('x'), 'stack', {
    get() {
      throw new Error('trap')
    },
  })
  assert.equal(parseError(error), null)
})

function syntaxError(run: () => unknown): SyntaxError {
  try {
    run()
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return thrown
  }
  throw new Error('it parsed')
}

test('V8 reports line and column of a syntax error', () => {
  const error = syntaxError(() => runInThisContext('const a = 1\nconst b = ;'))
  assert.deepEqual(compileLocation(error), { line: 2, column: 11 })
})

test('an error that no parser created has no location', () => {
  assert.equal(compileLocation(new SyntaxError('x')), null)
})

test('no global is left behind', () => {
  const before = Reflect.ownKeys(globalThis)
  compileLocation(syntaxError(() => runInThisContext('const b = ;')))
  assert.deepEqual(Reflect.ownKeys(globalThis), before)
})
