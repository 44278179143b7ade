import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { starters } from '../../src/console/new/choices.ts'
import { runCommand } from '../support/command.ts'
import {
  assertReadable,
  assertSettings,
  assertStarts,
  assertTypesOfAll,
} from './new-project-checks.ts'
import { makeEverything } from './new-project-make.ts'
import { Workshop } from './new-project-workshop.ts'

const workshop = new Workshop()
before(() => workshop.prepare(), { timeout: 400_000 })
after(() => workshop.remove())

/** Folders of projects for the compiler, and what they are. */
const unchecked = new Map<string, string>()

for (const [name, starter] of Object.entries(starters)) {
  test(`a project from the starter ${name} says its settings, starts and passes its tests`, async (t) => {
    const app = workshop.assemble({ starter })
    assertReadable(app)
    await assertSettings(t, app, workshop.program)
    await assertStarts(t, app, workshop.program)
    unchecked.set(app, name)
  })
}

for (const name of ['minimal', 'auth']) {
  test(`what make: writes into a project from the starter ${name} passes its tests once the printed lines are added`, async (t) => {
    const app = workshop.assemble({ starter: starters[name] ?? assert.fail() })
    await makeEverything(t, app, workshop.program)
    unchecked.set(app, `${name} with all that make: writes`)
  })
}

// One compiler for all of them: the declarations of the packages, which are the same, take most of its time.
test('each of these projects type-checks and uses all that it declares', async (t) => {
  assert.equal(unchecked.size, Object.keys(starters).length + 2)
  await assertTypesOfAll(t, workshop.folder, unchecked)
})

test('what the starter auth shares with the demo is the same: a fix of one reaches both', () => {
  const [auth, full] = ['auth', 'full'].map((name) =>
    workshop.assemble({ starter: starters[name] ?? assert.fail() }),
  )
  for (const file of ['public/style.css', 'public/lists.css', 'public/favicon.svg', 'Dockerfile']) {
    const [one, other] = [auth, full].map((app) => readFileSync(join(app ?? '', file), 'utf8'))
    assert.equal(one, other, file)
  }
})

test('what describes schemas of valibot is installed where they may be columns of accounts', () => {
  // The projects of these tests have the packages of the repository, where a missing one is not missed.
  for (const name of ['auth', 'full']) {
    const app = workshop.assemble({ starter: starters[name] ?? assert.fail() })
    const { dependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
    assert.ok(Object.hasOwn(dependencies, '@valibot/to-json-schema'), name)
  }
})

test('the starter auth is small enough to be read in an hour', () => {
  const app = workshop.assemble({ starter: starters['auth'] ?? assert.fail() })
  const files = globSync(['**/*', '**/.*', '**/.*/**/*'], { cwd: app, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length, 0)
  assert.ok(files.length <= 45, `${files.length} files`)
  assert.ok(lines <= 1_800, `${lines} lines`)
})

test('a minimal project is one route, one view and one test', () => {
  const app = workshop.assemble({ starter: starters['minimal'] ?? assert.fail() })
  const own = globSync('*/**/*', { cwd: app })
  assert.deepEqual(own.toSorted(), [
    'routes/home.ts',
    'tests/home.test.ts',
    'views/home.template.html',
  ])
})

test('unknown starters and databases, and a database where there is none, are errors', async (t) => {
  const { program, folder: cwd } = workshop
  for (const [flags, status, message] of [
    [['--starter', 'wings'], 2, /Allowed choices are auth, minimal, full/],
    [['--database', 'oracle'], 2, /Allowed choices are sqlite, postgres, mariadb/],
    [['--starter', 'minimal', '--database', 'postgres'], 1, /a minimal project has no database/],
  ] as const) {
    const refused = await runCommand(t, ['new', 'never', ...flags], { cwd, program })
    assert.equal(refused.status, status)
    assert.match(refused.stderr, message)
    assert.ok(!existsSync(join(cwd, 'never')))
  }
})
