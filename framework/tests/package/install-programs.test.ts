import assert from 'node:assert/strict'
import { chmodSync, existsSync, globSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { neededPrograms } from '../runner/needed-programs.ts'
import { installPrograms } from '../support/install-programs.ts'
import type { InstallableProgram } from '../support/install-programs.ts'
import { testPrograms } from '../support/test-programs.ts'
import { plantTree } from './planted-tree.ts'

/** An apt-get with one lock that is taken for the first `refusals` calls. */
const fake = `#!/bin/sh
cd "$(dirname "$0")"
while [ "$1" != update ] && [ "$1" != install ]; do shift; done
echo "$@" >> calls
left=$(cat refusals 2>/dev/null || echo 0)
if [ "$left" -gt 0 ] || ! mkdir lock 2>/dev/null; then
  [ "$left" -gt 0 ] && echo $((left - 1)) > refusals
  echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)' >&2
  echo 'E: Unable to lock directory /var/lib/apt/lists/' >&2
  exit 100
fi
if [ "$1" = install ]; then for word; do case $word in good*) touch "bin-$word";; esac; done; fi
rmdir lock
`

interface Machine {
  readonly said: string[]
  /** The arguments of each apt-get call. */
  calls(): readonly string[]
  program(name: string): InstallableProgram
  install(...names: string[]): Promise<readonly string[]>
}

/** A machine where only the packages named good-* can be installed. */
function plantMachine(t: TestContext, refusals = 0, apt = fake): Machine {
  const folder = plantTree(t, { 'apt-get': apt, refusals: String(refusals) })
  chmodSync(join(folder, 'apt-get'), 0o755)
  const { PATH = '' } = process.env
  process.env['PATH'] = folder + delimiter + PATH
  t.after(() => void (process.env['PATH'] = PATH))
  const said: string[] = []
  const program = (name: string): InstallableProgram => ({
    name: name.toUpperCase(),
    package: name,
    isHere: () => existsSync(join(folder, `bin-${name}`)),
  })
  return {
    said,
    calls: () =>
      existsSync(join(folder, 'calls'))
        ? readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n')
        : [],
    program,
    async install(...names) {
      const options = { refusal: null, say: (line: string) => said.push(line), retryMs: 1 }
      const left = await installPrograms(names.map(program), options)
      return left.map(({ name }) => name)
    },
  }
}

test('all missing programs are installed in one go, and the reason is printed', async (t) => {
  const machine = plantMachine(t)
  assert.deepEqual(await machine.install('good-a'), [])
  assert.deepEqual(await machine.install('good-a', 'good-b', 'good-c'), [])
  assert.deepEqual(machine.calls(), [
    'update',
    'install --yes --no-install-recommends good-a',
    'update',
    'install --yes --no-install-recommends good-b good-c',
  ])
  assert.match(machine.said.join('\n'), /^Installing good-b good-c .* GOOD-B, GOOD-C is not here$/m)
  assert.match(machine.said.join('\n'), /FRAMEWORK_TEST_INSTALL=0 turns this off/)
})

test('apt-get is not called when nothing is missing', async (t) => {
  const machine = plantMachine(t)
  await machine.install('good-a')
  const before = machine.calls().length
  assert.deepEqual(await machine.install('good-a'), [])
  assert.equal(machine.calls().length, before)
})

test('it waits for a lock held by another apt-get', async (t) => {
  const machine = plantMachine(t, 5)
  assert.deepEqual(await machine.install('good-a'), [])
  assert.deepEqual(
    machine.calls().map((call) => call.split(' ')[0]),
    ['update', 'update', 'update', 'update', 'update', 'update', 'install'],
  )
  const waiting = machine.said.filter((line) => line.startsWith('Waiting for another apt-get'))
  assert.equal(waiting.length, 1)
})

test('it gives up on a lock that is never released', async (t) => {
  const machine = plantMachine(t, 1_000_000)
  const say = (line: string): number => machine.said.push(line)
  const options = { refusal: null, say, retryMs: 1, lockTimeoutMs: 50 }
  const left = await installPrograms([machine.program('good-a')], options)
  assert.deepEqual(
    left.map(({ name }) => name),
    ['GOOD-A'],
  )
  assert.match(machine.said.at(-1) ?? '', /good-a did not bring GOOD-A: E: Could not get lock/)
})

test('concurrent installations all end with every program present', async (t) => {
  const machine = plantMachine(t)
  const runs = Array.from({ length: 5 }, () => machine.install('good-a', 'good-b'))
  assert.deepEqual(await Promise.all(runs), [[], [], [], [], []])
})

test('programs installed by the holder of the lock are not installed again', async (t) => {
  const machine = plantMachine(t, 1, fake.replace('exit 100', 'touch bin-good-a; exit 100'))
  assert.deepEqual(await machine.install('good-a'), [])
  assert.deepEqual(machine.calls(), ['update'])
})

test('an apt-get that succeeds without installing anything is detected', async (t) => {
  const machine = plantMachine(t, 0, `${fake}echo 'W: Failed to fetch the lists' >&2\n`)
  assert.deepEqual(await machine.install('bad', 'good-a'), ['BAD'])
  assert.match(machine.said.at(-1) ?? '', /^bad did not bring BAD: W: Failed to fetch the lists/)
})

test('where installing is not allowed, apt-get is not called and the reason is printed', async (t) => {
  const machine = plantMachine(t)
  const say = (line: string): number => machine.said.push(line)
  const left = await installPrograms([machine.program('good-a')], { refusal: 'of this', say })
  assert.equal(left.length, 1)
  assert.deepEqual(machine.said, ['Not here, and not installed because of this: GOOD-A'])
  assert.deepEqual(machine.calls(), [])
})

test('FRAMEWORK_TEST_INSTALL=0 turns it off', async (t) => {
  const machine = plantMachine(t)
  process.env['FRAMEWORK_TEST_INSTALL'] = '0'
  t.after(() => delete process.env['FRAMEWORK_TEST_INSTALL'])
  const say = (line: string): number => machine.said.push(line)
  await installPrograms([machine.program('good-a')], { say })
  assert.match(machine.said.join(), /^Not here, and .* FRAMEWORK_TEST_INSTALL is 0: GOOD-A$/)
  assert.deepEqual(machine.calls(), [])
})

/** The programs that a test file with this import needs. */
function needs(t: TestContext, source: string): readonly string[] {
  const root = plantTree(t, {
    'framework/tests/process/a.test.ts': source,
    'framework/tests/process/helper.ts': `import { startRedis } from '../support/redis-server.ts'`,
    'framework/tests/support/redis-server.ts': 'export function startOwnRedis() {}',
    'framework/tests/support/browser.ts': '',
  })
  return neededPrograms(root, ['framework/tests/process/a.test.ts']).map(({ name }) => name)
}

test('a test file needs only the programs of the modules it imports', (t) => {
  assert.deepEqual(needs(t, ''), [])
  assert.deepEqual(needs(t, `import { testBrowser } from '../support/browser.ts'`), ['Chromium'])
  assert.deepEqual(needs(t, `import './x.ts'\nawait import('./helper.ts')`), ['Redis'])
})

test('a server given by URL replaces the program, except where a test stops its own', (t) => {
  process.env['TEST_REDIS_URL'] = 'redis://127.0.0.1:1/0'
  t.after(() => delete process.env['TEST_REDIS_URL'])
  assert.deepEqual(needs(t, `import { x } from './helper.ts'`), [])
  const own = `import { startOwnRedis } from '../support/redis-server.ts'`
  assert.deepEqual(needs(t, own), ['Redis'])
})

test('every listed program is needed by some test, and only the runner installs', () => {
  const root = join(import.meta.dirname, '..', '..', '..')
  const files = globSync('framework/tests/**/*.test.ts', { cwd: root })
  assert.deepEqual(neededPrograms(root, files), testPrograms)
  const installers = globSync('framework/tests/**/*.ts', { cwd: root }).filter((file) =>
    /import .*installPrograms/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(installers.toSorted(), [
    'framework/tests/package/install-programs.test.ts',
    'framework/tests/run.ts',
    'framework/tests/scan/scan.ts',
  ])
})
