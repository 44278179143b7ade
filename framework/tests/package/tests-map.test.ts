import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testPrograms } from '../support/test-programs.ts'

const tests = join(import.meta.dirname, '..')
const map = readFileSync(join(tests, 'README.md'), 'utf8')

test('the README of the tests lists every folder', () => {
  // Examples of the documentation run in folders with a dot.
  const folders = readdirSync(tests, { withFileTypes: true }).filter(
    (one) => one.isDirectory() && !one.name.startsWith('.'),
  )
  assert.ok(folders.length > 5)
  assert.deepEqual(
    folders.map(({ name }) => name).filter((name) => !map.includes(`| [${name}](${name}) |`)),
    [],
  )
})

test('it lists every program, its package and its variable', () => {
  for (const { name, package: debian, variable } of testPrograms) {
    for (const word of [name, `\`${debian}\``, `\`${variable}\``])
      assert.ok(map.includes(word), word)
  }
})

test('it lists every variable that the tests read', () => {
  const files = globSync('**/*.ts', { cwd: tests })
  const text = files.map((file) => readFileSync(join(tests, file), 'utf8')).join('\n')
  const read = [...text.matchAll(/process\.env\['([A-Z]+_[A-Z_]+)'\](?! =)/g)]
  const names = new Set([...read.map(([, name = '']) => name), 'SCREENSHOTS'])
  assert.ok(names.size > 8)
  assert.deepEqual(
    [...names].filter((name) => !map.includes(`\`${name}\``)),
    [],
  )
})
