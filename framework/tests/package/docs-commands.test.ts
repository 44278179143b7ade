import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { shellBlocks } from './code-blocks.ts'
import { commandTable, entryFor, commandEntries, commandsIn } from './docs-commands.ts'

const tests = join(import.meta.dirname, '..')
const repository = join(tests, '..', '..')
const contributing = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8')
const blocks = [
  ...shellBlocks(repository, ['demo/README.md']),
  commandTable('CONTRIBUTING.md', contributing),
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
      .filter((command) => entryFor(command) === undefined)
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

test('each test that is listed for a command runs it', () => {
  for (const entry of commandEntries) {
    if (!('test' in entry)) continue
    const file = join(tests, entry.test)
    assert.ok(existsSync(file), entry.test)
    assert.ok(readFileSync(file, 'utf8').includes(entry.words), entry.command)
  }
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
