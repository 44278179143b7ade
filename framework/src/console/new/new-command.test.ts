import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { recordingTerminal } from '../../../tests/support/recording-terminal.ts'
import { checkProjectName, nameFromFolder, newProject } from './new-command.ts'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'framework-new-test-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('without a folder and without a terminal to ask on it is a usage error', async () => {
  const terminal = recordingTerminal()
  assert.equal(await newProject(undefined, {}, terminal), 2)
  assert.match(terminal.errors(), /framework new <folder>/)
})

test('a folder that is not empty is refused and stays as it is', async (t) => {
  const path = folder(t)
  writeFileSync(join(path, 'notes.txt'), 'mine')
  await assert.rejects(newProject(path, {}, recordingTerminal()), {
    code: 'E_NEW',
    message: /is not empty; .*--force/,
  })
  assert.deepEqual(readdirSync(path), ['notes.txt'])
})

test('a file in the place of the folder is refused', async (t) => {
  const path = join(folder(t), 'file')
  writeFileSync(path, '')
  await assert.rejects(newProject(path, { force: true }, recordingTerminal()), {
    code: 'E_NEW',
    message: /is a file/,
  })
})

test('on a terminal the folder and the name are asked for', async (t) => {
  const path = folder(t)
  writeFileSync(join(path, 'notes.txt'), 'mine')
  const terminal = recordingTerminal({ answers: [path, 'Not A Name'] })
  await assert.rejects(newProject(undefined, {}, terminal), { message: /"Not A Name"/ })
  assert.equal(terminal.output(), 'Folder of the project?\nIts name?\n')
})

test('on a terminal the database is asked for too, and one that does not exist is refused', async (t) => {
  const path = join(folder(t), 'shop')
  const terminal = recordingTerminal({ answers: [path, 'shop', 'oracle'] })
  await assert.rejects(newProject(undefined, {}, terminal), {
    code: 'E_NEW',
    message: 'unknown database "oracle"; choose from sqlite, postgres, mariadb',
  })
  assert.match(terminal.output(), /Its database: sqlite, postgres, mariadb\?\n$/)
})

test('a minimal project refuses a database, before anything is written', async (t) => {
  const path = join(folder(t), 'shop')
  const flags = { starter: 'minimal', database: 'postgres' }
  await assert.rejects(newProject(path, flags, recordingTerminal()), {
    code: 'E_NEW',
    message: /use another --starter/,
  })
})

test('a folder name becomes a package name', () => {
  assert.equal(nameFromFolder('shop'), 'shop')
  assert.equal(nameFromFolder('My Shop!'), 'my-shop')
  assert.equal(nameFromFolder('Café_2.0'), 'cafe_2.0')
  assert.equal(nameFromFolder('...'), 'app')
  assert.equal(nameFromFolder('商店'), 'app')
  assert.equal(nameFromFolder('framework'), 'app')
})

test('valid npm names are accepted, others are rejected with the rules', () => {
  for (const name of ['shop', '2nd-shop', 'a.b_c']) assert.equal(checkProjectName(name), name)
  for (const name of ['', 'Shop', '-shop', '.shop', 'a b', `a'b`, 'framework', 'x'.repeat(101)]) {
    assert.throws(() => checkProjectName(name), { code: 'E_NEW', message: /lower-case letters/ })
  }
})
