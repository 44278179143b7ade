import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { runCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'

interface Ended {
  readonly status: number | string | null
  readonly stdout: string
  readonly stderr: string
}

const opening = `import { writeSync } from 'node:fs'
import { defineProject } from 'framework'
import { Throwables } from 'framework/debugging'
Throwables.reporters.push((error, context) => {
  writeSync(1, error.constructor.name + ' ' + JSON.stringify(context) + '\\n')
})
`

/** Runs a command on a project whose module reports to the output and continues with `rest`. */
function run(t: TestContext, rest: string, ...args: string[]): Promise<Ended> {
  const cwd = plantProject(t, { 'project.ts': opening + rest })
  return runCommand(t, args, { cwd })
}

for (const command of ['routes', 'config', 'serve']) {
  test(`an unexpected error in framework ${command} is uncaught`, async (t) => {
    const { status, stdout, stderr } = await run(t, `throw new RangeError('broken')`, command)
    assert.equal(status, 255)
    assert.equal(stdout, 'RangeError {"origin":"exception"}\n')
    assert.match(
      stderr,
      /^RangeError: broken\n {4}at project\.ts:7:7\n\n[^]*^ {2}> 7 \| throw new/m,
    )
    assert.match(stderr, /\+\d+ trace calls…\n$/)
  })
}

test('a rejection while services are built is uncaught too', async (t) => {
  const rest = `export default defineProject({
    name: 'x', routes: [], services: async () => { throw 'no service' },
  })`
  const { status, stdout, stderr } = await run(t, rest, 'routes')
  assert.equal(status, 255)
  assert.match(stdout, /\{"origin":"exception"\}\n$/)
  assert.match(stderr, /^NonErrorThrown: thrown value is not an Error: no service\n/)
})

test('--verbose prints every call', async (t) => {
  const { status, stderr } = await run(t, `throw new Error('broken')`, '--verbose', 'routes')
  assert.equal(status, 255)
  assert.doesNotMatch(stderr, /trace calls…/)
  assert.match(stderr, /^ {4}at .*main\.ts:\d+:\d+\)$/m)
})

test('the project can set the verbosity', async (t) => {
  const rest = `Throwables.verbosity = 1\nthrow new Error('broken')`
  const { status, stderr } = await run(t, rest, 'routes')
  assert.deepEqual([status, stderr], [255, 'Error: broken\n'])
})

test('an error with a code of the framework is one sentence and status 1, and is not reported', async (t) => {
  const { status, stdout, stderr } = await run(t, 'export default 7', 'routes')
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^error [^\n]+ \[E_PROJECT\]\n$/)
})

test('a wrong command line is status 2', async (t) => {
  assert.equal((await runCommand(t, ['routes', '--nothing'])).status, 2)
})

test('a project that does not parse is a fatal error with its file and line', async (t) => {
  const { status, stderr } = await run(t, 'export default defineProject({ name: }', 'routes')
  assert.equal(status, 255)
  assert.match(stderr, /^ErrorException: [^\n]+\n {4}at project\.ts:7:\d+\n[^]*^ {2}> 7 \| export/m)
  assert.match(stderr, /^Caused by SyntaxError: /m)
})
