import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantProject } from '../../tests/support/plant-project.ts'
import { connect } from '../database/connect.ts'
import { migrate, pendingMigrations } from './migrator.ts'
import { refuseUnfilled, unfilledLine } from './refuse-unfilled.ts'

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
