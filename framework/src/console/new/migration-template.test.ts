import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { connect } from '../../database/connect.ts'
import { migrate } from '../../migrations/migrator.ts'
import { migrationTemplate } from './migration-template.ts'

test('a migration that creates a table begins with the table of that name', () => {
  assert.equal(
    migrationTemplate('create_posts_table', true),
    `import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  // Describe the change here and remove this line: until then, migrate refuses to run this file.
  await schema.createTable('posts', (table) => {
    table.key('id')
    table.timestamp('created_at').defaultNow()
  })
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('posts')
}
`,
  )
})

test('a migration that adds a column begins with that column', () => {
  const text = migrationTemplate('add_slug_to_blog_posts', true)
  assert.match(text, /addColumn\('blog_posts', \(table\) => table\.text\('slug'\)\.nullable\(\)\)/)
  assert.match(text, /dropColumn\('blog_posts', 'slug'\)/)
})

test('a migration that drops a table makes it again on its way down', () => {
  const text = migrationTemplate('drop_old_posts_table', true)
  assert.match(text, /up[^]*dropTable\('old_posts'\)[^]*down[^]*createTable\('old_posts'/)
})

test('any other migration is empty, and says that it is not run like that', () => {
  const text = migrationTemplate('tidy_up', true)
  assert.match(
    text,
    /^import type \{ Schema \}[^]*up\(schema: Schema\)[^]*\{\n {2}\/\/ [^]*refuses/,
  )
  assert.match(text, /down\(schema: Schema\): Promise<void> \{\n\}\n$/)
})

test('in a project of JavaScript it has no types', () => {
  const text = migrationTemplate('create_posts_table', false)
  assert.match(text, /^export async function up\(schema\) \{\n/)
  assert.doesNotMatch(text, /Schema|Promise|import/)
})

test('of what make:migration writes, a created table is to be filled in, an added column need not be', async (t) => {
  const root = plantProject(t, {
    'migrations/20260101000000_create_posts_table.js': migrationTemplate(
      'create_posts_table',
      false,
    ),
  })
  const folder = join(root, 'migrations')
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await assert.rejects(migrate(database, folder), { code: 'E_MIGRATION' })
  const posts = migrationTemplate('create_posts_table', false).replace(/^ +\/\/.*\n/m, '')
  const other = plantProject(t, {
    'migrations/20260101000000_create_posts_table.js': posts,
    'migrations/20260101000001_add_slug_to_posts.js': migrationTemplate('add_slug_to_posts', false),
  })
  assert.equal((await migrate(database, join(other, 'migrations'))).length, 2)
})
