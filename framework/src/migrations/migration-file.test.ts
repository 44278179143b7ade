import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { plantProject } from '../../tests/support/plant-project.ts'
import { connect } from '../database/connect.ts'
import { MigrationError } from './migration-error.ts'
import { listMigrations, loadMigration, refuseUnfilled, unfilledLine } from './migration-file.ts'
import type { Migration } from './migration-file.ts'
import { migrate, pendingMigrations } from './migrator.ts'

function plant(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-migrations-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

async function load(t: TestContext, text: string): Promise<Migration> {
  const [file] = await listMigrations(plant(t, { '20260101000000_one.ts': text }))
  assert.ok(file)
  return loadMigration(file)
}

test('migrations are listed by name, other files are ignored', async (t) => {
  const folder = plant(t, {
    '20260102000000_b.ts': '',
    '20260101000000_c.js': '',
    '20260101000000_a-b_c.ts': '',
    '20260101000000_a-b_c.d.ts': '',
    'README.md': '',
    '.hidden.ts': '',
  })
  mkdirSync(join(folder, 'old'))
  const found = await listMigrations(folder)
  assert.deepEqual(
    found.map(({ name }) => name),
    ['20260101000000_a-b_c', '20260101000000_c', '20260102000000_b'],
  )
})

test('a migration that exists as source and built counts once, as source', async (t) => {
  const folder = plant(t, { '20260101000000_a.js': '', '20260101000000_a.ts': '' })
  const found = await listMigrations(folder)
  assert.equal(found.length, 1)
  assert.match(found[0]?.path ?? '', /\.ts$/)
})

test('a module with another name is rejected: it would never be run', async (t) => {
  for (const name of [
    'posts.ts',
    '2026_posts.ts',
    '20260101000000_Posts.ts',
    '20260101000000.js',
  ]) {
    await assert.rejects(listMigrations(plant(t, { [name]: '' })), (error) => {
      assert.ok(error instanceof MigrationError)
      assert.match(error.message, /is not named as a migration/)
      return true
    })
  }
})

test('a missing folder is an error that says how to create it', async () => {
  await assert.rejects(
    listMigrations(join(tmpdir(), 'framework-no-such-folder')),
    /there is no folder .*; `framework make:migration <name>` creates it/,
  )
})

test('whitespace does not change the checksum, words do', async (t) => {
  const checksum = async (text: string): Promise<string | undefined> =>
    (await listMigrations(plant(t, { '20260101000000_a.ts': text })))[0]?.checksum
  const first = await checksum('export const a = 1\nexport const b = 2\n')
  assert.equal(await checksum('export const a = 1\r\n  export const b = 2'), first)
  assert.notEqual(await checksum('export const a = 1\nexport const b = 3\n'), first)
})

test('up and down are taken from the module', async (t) => {
  const migration = await load(t, `export const up = () => 'u'\nexport const down = () => 'd'`)
  assert.equal(typeof migration.up, 'function')
  assert.equal(typeof migration.down, 'function')
  assert.equal(migration.transaction, true)
})

test('a migration may have no down, and may run without a transaction', async (t) => {
  const migration = await load(t, 'export const transaction = false\nexport function up() {}')
  assert.equal(migration.down, null)
  assert.equal(migration.transaction, false)
})

for (const text of ['', 'export const up = 1', 'export function up() {}; export const down = 1']) {
  test(`a module with ${JSON.stringify(text)} is not a migration`, async (t) => {
    await assert.rejects(load(t, text), /20260101000000_one must export a function up\(schema\)/)
  })
}

test('a module that fails to load is named', async (t) => {
  await assert.rejects(load(t, `throw new Error('the oven is cold')`), (error) => {
    assert.ok(error instanceof MigrationError)
    assert.match(error.message, /^20260101000000_one cannot be loaded: the oven is cold$/)
    assert.ok(error.cause instanceof Error)
    return true
  })
})

const file = { name: '20260101000000_x', path: '/app/migrations/20260101000000_x.ts', checksum: '' }

function refusal(up: () => unknown): string | null {
  try {
    refuseUnfilled(file, { up, down: null, transaction: true })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'no error'
  }
}

test('an empty up is refused, with or without comments, and the file is named', () => {
  for (const up of [
    () => {},
    async () => {},
    function up() {},
    async function up() {
      // Nothing yet.
    },
    () => {
      /* { } */
    },
  ]) {
    assert.match(refusal(up) ?? '', /empty up\(schema\).*\/app\/migrations\/20260101000000_x\.ts/)
  }
})

test('an up that does something, or says that there is nothing to do, is run', () => {
  for (const up of [
    () => undefined,
    () => ({}),
    () => Promise.resolve({}),
    () => void [].map(() => {}),
  ]) {
    assert.equal(refusal(up), null, String(up))
  }
})

test('a migration as make:migration wrote it stops all that wait with it, until it is filled in', async (t) => {
  const [first, second] = ['20260101000000_create_a_table', '20260101000001_tidy_up']
  const filled = `export const up = (schema) => schema.createTable('a', (table) => { table.key('id') })`
  const root = plantProject(t, {
    [`migrations/${first}.js`]: filled,
    [`migrations/${second}.js`]: `export async function up(schema) {\n  ${unfilledLine}\n  await schema.run()\n}`,
  })
  const folder = join(root, 'migrations')
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await assert.rejects(migrate(database, folder), {
    code: 'E_MIGRATION',
    message: /^20260101000001_tidy_up is not filled in yet: .*20260101000001_tidy_up\.js$/,
  })
  assert.deepEqual(await pendingMigrations(database, folder), [first, second])
})

test('those of a package run in their place by name, unless the project has one of that name', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const made: string[] = []
  const builtIn = ['20260101000001_people', '20260101000002_notes', '20260101000009_unused'].map(
    (name, at) => ({ name, isNeeded: at < 2, up: () => made.push(name), down: () => {} }),
  )
  const folder = plant(t, {
    '20260101000002_notes.ts':
      'export const up = (schema) => schema.createTable("own", (t) => t.text("name"))',
    '20260301000000_later.ts':
      'export const up = (schema) => schema.createTable("later", (t) => t.text("name"))',
  })
  assert.deepEqual(await migrate(database, folder, { builtIn }), [
    '20260101000001_people',
    '20260101000002_notes',
    '20260301000000_later',
  ])
  assert.deepEqual(made, ['20260101000001_people'])
  // The project gives its own up for that of the package, and turns on what it had left out.
  rmSync(join(folder, '20260101000002_notes.ts'))
  const all = builtIn.map((one) => ({ ...one, isNeeded: true }))
  assert.deepEqual(await migrate(database, folder, { builtIn: all }), ['20260101000009_unused'])
  assert.deepEqual(await pendingMigrations(database, join(folder, 'none'), { builtIn }), [])
})
