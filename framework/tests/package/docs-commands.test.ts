import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createProgram } from '../../src/console/program.ts'
import { recordingTerminal } from '../support/recording-terminal.ts'
import { shellBlocks } from './code-blocks.ts'
import { commandEntries, commandsIn, commandTable, entryFor } from './docs-commands.ts'
import { isSizedTest, ownWords, wrongLines } from './docs-commands.ts'
import { plantTree } from './planted-tree.ts'

const tests = join(import.meta.dirname, '..')
const repository = join(tests, '..', '..')
const program = createProgram(recordingTerminal(), () => {})
const tables = ['CONTRIBUTING.md', 'framework/tests/README.md']
const blocks = [
  ...shellBlocks(repository, ['demo/README.md']),
  ...tables.map((page) => commandTable(page, readFileSync(join(repository, page), 'utf8'))),
]

// Other tests run these pages in full: demo-curl.test.ts, newcomer.test.ts and tutorial.test.ts.
const ran = blocks.filter(
  ({ page, label }) => label === 'run' || /\/(getting-started|tutorial)\.md$/.test(page),
)
const others = blocks.filter((block) => !ran.includes(block))

test('every command in the documentation is run by a test or has a reason why not', () => {
  assert.ok(ran.length > 10)
  const missing = others.flatMap((block) =>
    commandsIn(block)
      .filter((command) => entryFor(command) === undefined && !isSizedTest(repository, command))
      .map((command) => `${block.page}:${block.line} ${command}`),
  )
  assert.deepEqual(missing, [])
})

test('every listed command is still in the documentation', () => {
  const used = new Set(others.flatMap(commandsIn).map(entryFor))
  assert.deepEqual(
    commandEntries.filter((entry) => !used.has(entry)),
    [],
  )
})

test('the lines that are listed for a command are in their tests and have its own words', () => {
  assert.deepEqual(
    commandEntries.flatMap((entry) => wrongLines(tests, entry, program)),
    [],
  )
})

test('lines with the words of another command, and lines that are not there, are found', (t) => {
  const folder = plantTree(t, {
    'a.test.ts': `// runs ['seed']
test('seed fills the database', async (t) => {
  await npm('pack', './framework')
  await npm('install', '--no-fund', tarball)
  const env = { REDIS_URL: url }
  await runCommand(['serve'], { env })
  await runCommand(['check', '--json'])
  await runCommand(['migrate'])
`,
  })
  const found = (command: string, ...pieces: string[]): string[] => {
    const ranBy = pieces.map((piece) => ['a.test.ts', piece] as const)
    return wrongLines(folder, { command, ranBy }, program)
  }
  assert.deepEqual(found('npm install ./a.tgz', `'install', '--no-fund', tarball)`), [])
  assert.deepEqual(found('REDIS_URL=x npm run serve', 'REDIS_URL: url', `['serve']`), [])
  assert.deepEqual(found('npx framework migrate', `['migrate']`), [])

  assert.deepEqual(found('npm run build', `'pack', './framework'`), [
    'npm run build: no line has build',
  ])
  assert.deepEqual(found('npm install ./a.tgz', `'--no-fund', tarball)`), [
    'npm install ./a.tgz: no line has install',
  ])
  assert.deepEqual(found(`DATABASE_URL='a b' REDIS_URL=x npm run serve`, 'REDIS_URL'), [
    `DATABASE_URL='a b' REDIS_URL=x npm run serve: no line has DATABASE_URL`,
    `DATABASE_URL='a b' REDIS_URL=x npm run serve: no line has serve`,
  ])
  assert.deepEqual(found('npx framework check --deploy', `['check', `), [
    'npx framework check --deploy: no line has --deploy',
  ])
  assert.deepEqual(found('npx framework migrate status', `['migrate']`), [
    'npx framework migrate status: no line has status',
  ])
  // A comment, a title, and a text over two lines run nothing.
  for (const piece of [`['seed']`, `'seed fills the`, `seed\n`]) {
    assert.deepEqual(found('npx framework seed', piece), [
      `npx framework seed: a.test.ts has no line ${piece}`,
    ])
  }
  const gone = { command: 'npx framework seed', ranBy: [['gone.test.ts', `'seed'`]] } as const
  assert.deepEqual(wrongLines(folder, gone, program), [
    `npx framework seed: gone.test.ts has no line 'seed'`,
  ])
})

test('a command has its variables, subcommands and options as own words, but no values', () => {
  const words = (command: string): string => ownWords(command, program).join(' ')
  assert.equal(words('npx framework accounts show ada@example.org'), 'accounts show')
  assert.equal(words('npx framework run items:import --dry-run'), 'run --dry-run')
  assert.equal(words('npm ci --omit=dev'), 'ci --omit')
  assert.equal(words('npm test -- --busy 4'), 'test --busy')
  assert.equal(words('node scripts/ship.ts'), 'ship.ts')
  assert.equal(words(`A_URL='a b' B=1 npm run serve`), 'A_URL B serve')
})

test('a part of the tests is one that exists and reads the variables', (t) => {
  const folder = plantTree(t, {
    'framework/tests/process/kills.test.ts': `const jobs = process.env['JOBS'] ?? 1`,
    'framework/tests/process/races.test.ts': '',
  })
  const fits = (command: string): boolean => isSizedTest(folder, command)
  assert.ok(fits('npm test -- races'))
  assert.ok(fits('JOBS=9 npm test -- kills --silence 600'))
  assert.ok(!fits('npm test -- gone'))
  assert.ok(!fits('JOBS=9 npm test -- races'))
  assert.ok(!fits('JOBS=9 ROUNDS=2 npm test -- kills'))
  assert.ok(!fits('npm test -- --busy 4'))
})

test('commands are separated, without comments, and continued lines are joined', () => {
  const code = 'npm ci && npm test # all\n# a remark\ncurl --silent \\\n  http://127.0.0.1/#top\n'
  assert.deepEqual(commandsIn({ page: '', line: 1, label: '', code }), [
    'npm ci',
    'npm test',
    'curl --silent http://127.0.0.1/#top',
  ])
  assert.equal(entryFor('npm run dance'), undefined)
  assert.equal(entryFor('docker build --tag shop .'), entryFor('docker …'))
})
