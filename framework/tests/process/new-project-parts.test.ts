import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parts, withDependents } from '../../src/console/new/parts.ts'
import { runCommand } from '../support/command.ts'
import {
  assertReadable,
  assertSettings,
  assertStarts,
  assertTypes,
  assertTypesOfAll,
} from './new-project-checks.ts'
import { Workshop } from './new-project-workshop.ts'

const workshop = new Workshop()
before(() => workshop.prepare(), { timeout: 400_000 })
after(() => workshop.remove())

const worked = new Set<string>()
/** Folders of projects for the compiler, and what they are without. */
const unchecked = new Map<string, string>()
const runsAll = process.env['NEW_PROJECT_TESTS'] === 'all'

// The account tests take the longest and are those of the demo, which runs them all: here, two of them
// show that they run, and that the settings list what the project has.
const someTests = ['tests/{*,auth/login,auth/settings}.test.ts']

for (const left of choices(Object.keys(parts))) {
  const without = left.length === 0 ? 'with every part' : `without ${left.join(' and ')}`
  // Each part is missing in one of those that are started: projects without accounts, and without half of the rest.
  const starts = runsAll || left.length !== 1 || left[0] === 'auth'
  const title = `a project ${without} has its files, says its settings${starts ? ' and starts' : ''}`
  // It has many tests of its own.
  test(title, { timeout: 400_000 }, async (t) => {
    const app = workshop.assemble({ without: left })
    const gone = new Set(withDependents(left).flatMap((name) => parts[name]?.files ?? []))
    for (const file of Object.values(parts).flatMap(({ files }) => files)) {
      assert.equal(existsSync(join(app, file)), !gone.has(file), file)
    }
    assertReadable(app)
    // Parts without code, such as the container, do not change the program.
    const code = codeOf(app)
    if (worked.has(code)) return
    worked.add(code)
    await assertSettings(t, app, workshop.program)
    unchecked.set(app, without)
    if (starts) await assertStarts(t, app, workshop.program, runsAll ? [] : someTests)
  })
}

// One compiler for all of them: the declarations of the packages, which are the same, take most of its time.
test('each of these projects type-checks and uses all that it declares', async (t) => {
  assert.ok(unchecked.size > 0)
  await assertTypesOfAll(t, workshop.folder, unchecked)
})

function isDependent(name: string): boolean {
  return parts[name]?.needs !== undefined
}

test('a minimal project is one route, one view and one test, and works', async (t) => {
  const app = workshop.assemble({ minimal: true })
  const own = globSync('*/**/*', { cwd: app })
  assert.deepEqual(own.toSorted(), [
    'routes/home.ts',
    'tests/home.test.ts',
    'views/home.template.html',
  ])
  assertReadable(app)
  await assertSettings(t, app, workshop.program)
  await assertTypes(t, app)
  await assertStarts(t, app, workshop.program)
})

test('unknown parts and contradictory flags are usage errors', async (t) => {
  const { program, folder: cwd } = workshop
  for (const [flags, message] of [
    [
      ['--without', 'items,wings'],
      /Unknown part "wings"; choose from auth, activity, two-factor, /,
    ],
    [['--database', 'oracle'], /Allowed choices are sqlite, postgres, mariadb/],
    [['--minimal', '--database', 'postgres'], /cannot be used with/],
    [['--without', 'ci', '--minimal'], /cannot be used with/],
  ] as const) {
    const refused = await runCommand(t, ['new', 'never', ...flags], { cwd, program })
    assert.equal(refused.status, 2)
    assert.match(refused.stderr, message)
    assert.ok(!existsSync(join(cwd, 'never')))
  }
})

/**
 * Nothing, each part, every other of those besides accounts, those that belong to accounts together, and everything: all
 * combinations would be too many.
 */
function choices(names: readonly string[]): string[][] {
  const dependents = names.filter(isDependent)
  const others = names.filter((name) => name !== 'auth')
  const halves = [0, 1].map((half) => others.filter((_, at) => at % 2 === half))
  return [[], ...names.map((name) => [name]), ...halves, dependents, [...names]]
}

/** The parts of a project that affect how it runs, without its name. */
function codeOf(app: string): string {
  const hash = createHash('sha256')
  for (const file of globSync(['**/*.{ts,html,css,js}', '.env.example'], { cwd: app }).toSorted()) {
    const text = readFileSync(join(app, file), 'utf8')
    hash.update(`${file}\n${text.replaceAll(/shop[- ]\d+/gi, 'shop')}\n`)
  }
  return hash.digest('hex')
}
