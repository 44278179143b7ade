import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantProject } from '../../tests/support/plant-project.ts'
import { recordingTerminal } from '../../tests/support/recording-terminal.ts'
import { InvalidArgumentException } from '../base/errors.ts'
import { connect } from '../database/connect.ts'
import { makeMigration, migrationTemplate } from './make-migration.ts'
import { migrate } from './migrator.ts'

const clock = (): Date => new Date('2026-01-31T12:30:45.678Z')

test('the file is named by the time in UTC and the name, and its path is printed', async (t) => {
  const project = plantProject(t, { 'project.ts': '' })
  const terminal = recordingTerminal()
  const status = await makeMigration('create_posts_table', project, terminal, clock)
  assert.equal(status, 0)
  assert.match(terminal.output(), /migrations\/20260131123045_create_posts_table\.ts\n$/)
  const file = join(project, 'migrations', '20260131123045_create_posts_table.ts')
  assert.match(readFileSync(file, 'utf8'), /createTable\('posts'/)
})

for (const given of ['CreatePostsTable', 'create-posts-table', ' Create posts table ']) {
  test(`${JSON.stringify(given)} becomes create_posts_table`, async (t) => {
    const project = plantProject(t, { 'project.ts': '' })
    await makeMigration(given, project, recordingTerminal(), clock)
    const [file] = readdirSync(join(project, 'migrations'))
    assert.equal(file, '20260131123045_create_posts_table.ts')
  })
}

test('it is dated after every existing migration, even if the clock is behind', async (t) => {
  const project = plantProject(t, { 'migrations/20270101000000_later.ts': '' })
  await makeMigration('one_more', project, recordingTerminal(), clock)
  assert.ok(existsSync(join(project, 'migrations', '20270101000001_one_more.ts')))
})

test('a project of JavaScript gets JavaScript', async (t) => {
  const project = plantProject(t, { 'project.js': '' })
  await makeMigration('one', project, recordingTerminal(), clock)
  assert.deepEqual(readdirSync(join(project, 'migrations')), ['20260131123045_one.js'])
})

test('a name that is there already, or is none, is refused and nothing is written', async (t) => {
  const project = plantProject(t, { 'migrations/20250101000000_one.ts': '' })
  for (const name of ['one', '', '../one', 'a'.repeat(101), "x'y"]) {
    const made = makeMigration(name, project, recordingTerminal(), clock)
    await assert.rejects(made, InvalidArgumentException)
  }
  assert.equal(readdirSync(join(project, 'migrations')).length, 1)
})

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
