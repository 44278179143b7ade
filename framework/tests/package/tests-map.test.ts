import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { testPrograms } from '../support/test-programs.ts'
import { plantTree } from './planted-tree.ts'
import { checkTestsMap } from './tests-map.ts'

test('the README of the tests names what is there, and nothing else', () => {
  assert.deepEqual(checkTestsMap(join(import.meta.dirname, '..'), testPrograms), [])
})

const programs = [{ name: 'Redis', package: 'redis-tools', variable: 'TEST_REDIS_URL' }]
const page = `
| Folder | What |
|---|---|
| [package](package) | rules; [run.ts](run.ts) starts them |

| Tests of | In \`package\` |
|---|---|
| the sources | \`rooms\` \`deep/pages\` |

| Program | Debian package | Used by | Overridden by |
|---|---|---|---|
| Redis | \`redis-tools\` | sessions | \`TEST_REDIS_URL\`, a server |
| openssl | never installed | certificates | |

| Variable | What it does |
|---|---|
| \`QUEUE_TEST_JOBS\`, \`SHRINK\` | numbers |
`
const files = {
  'README.md': page,
  'run.ts': `// process.env['IN_A_COMMENT']\nconst planted = "process.env['IN_A_TEXT']"`,
  'package/rooms.test.ts': `const jobs = Number(process.env['QUEUE_TEST_JOBS'] ?? process.env['PATH'])`,
  'package/deep/pages.test.ts': `if (process.env['SHRINK'] === '1') connect(process.env['TEST_REDIS_URL'])`,
  '.example/a.ts': '',
}

test('a page that agrees with its folder passes', (t) => {
  assert.deepEqual(checkTestsMap(plantTree(t, files), programs), [])
})

test('what is there and not on the page is found', (t) => {
  const more = {
    'soak/a.ts': '',
    'loose.ts': `export const seed = process.env['SEED']`,
    'package/cycles.test.ts': '',
  }
  const added = { name: 'curl', package: 'curl', variable: 'CURL' }
  assert.deepEqual(checkTestsMap(plantTree(t, { ...files, ...more }), [...programs, added]), [
    'the page does not name the folder or file loose.ts',
    'the page does not name the folder or file soak',
    'the page does not name the test in package cycles',
    'the page has no row with the program curl, its package and its variable',
    'the page does not name the variable SEED',
  ])
})

test('what is on the page and not there is found', (t) => {
  const { 'run.ts': _, 'package/deep/pages.test.ts': __, ...left } = files
  assert.deepEqual(checkTestsMap(plantTree(t, left), []), [
    'there is no folder or file run.ts',
    'there is no test in package deep/pages',
    'the tests know no program or variable Redis',
    'the tests know no program or variable TEST_REDIS_URL',
    'there is no variable SHRINK',
  ])
})

test('a program with the package or the variable of another row is found', (t) => {
  const elsewhere = page
    .replace('`redis-tools`', '`redis`')
    .replace('certificates', '`redis-tools`')
  assert.deepEqual(checkTestsMap(plantTree(t, { ...files, 'README.md': elsewhere }), programs), [
    'the page has no row with the program Redis, its package and its variable',
  ])
})
