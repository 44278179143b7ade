import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MigrationError } from '../../../src/migrations/migration-error.ts'
import { Migrator } from '../../../src/migrations/migrator.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { plantMigrations as plant } from '../plant-migrations.ts'

const head = `import { sql } from 'framework/database'
import { entity, key, text, Repository } from 'framework/orm'
`

const failing: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a statement of its own': [
    `export async function up(schema) {
  await schema.createTable('one', (table) => { table.key() })
  const secret = 'a secret'
  await schema.run(sql\`INSERT INTO
    nowhere (id) VALUES (\${secret})\`)
}`,
    /\nat .*migrations\/20260101000000_bad\.ts:6, in INSERT INTO nowhere \(id\) VALUES \([?$1]+\)\n/,
  ],
  'a change of the schema': [
    `export const up = (schema) =>
  schema.addForeignKey('nowhere', 'one_id', 'ones')`,
    /\nat .*migrations\/20260101000000_bad\.ts:4(, in .*nowhere.*)?\n/,
  ],
  'a definition': [
    `export async function up(schema) {
  await schema.createTable('one', (table) => {
    table.key()
    table.text('title', { length: 0 })
  })
}`,
    /\nat .*migrations\/20260101000000_bad\.ts:6\n/,
  ],
  'a repository': [
    `const Rows = entity('nowhere', { id: key.integer(), title: text() })
export async function up(schema) {
  await schema.surface.transaction(async (inner) => {
    await new Repository(Rows, inner).insert({ title: 'a secret' })
  })
}`,
    /\nat .*migrations\/20260101000000_bad\.ts:6, in INSERT INTO .nowhere. /,
  ],
}

onEveryDatabase((_name, open) => {
  for (const [what, [source, message]] of Object.entries(failing)) {
    test(`the failure of ${what} names the file, the line and the statement, without values`, async (t) => {
      const database = await open(t)
      const folder = plant(t, { '20260101000000_bad.ts': head + source })
      await assert.rejects(new Migrator(database, folder).up(), (error) => {
        assert.ok(error instanceof MigrationError)
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /a secret/)
        return true
      })
    })
  }
})
