import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { recordingTerminal } from '../../../tests/support/recording-terminal.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { makeMigration } from './make-migration.ts'

const clock = (): Date => new Date('2026-01-31T12:30:45.678Z')

test('the file is named by the time in UTC and the name, and its path is printed', async (t) => {
  const project = plantProject(t, { 'project.ts': '' })
  const terminal = recordingTerminal()
  const status = await makeMigration('create_posts_table', { project }, terminal, clock)
  assert.equal(status, 0)
  assert.match(terminal.output(), /migrations\/20260131123045_create_posts_table\.ts\n$/)
  const file = join(project, 'migrations', '20260131123045_create_posts_table.ts')
  assert.match(readFileSync(file, 'utf8'), /createTable\('posts'/)
})

for (const given of ['CreatePostsTable', 'create-posts-table', ' Create posts table ']) {
  test(`${JSON.stringify(given)} becomes create_posts_table`, async (t) => {
    const project = plantProject(t, { 'project.ts': '' })
    await makeMigration(given, { project }, recordingTerminal(), clock)
    const [file] = readdirSync(join(project, 'migrations'))
    assert.equal(file, '20260131123045_create_posts_table.ts')
  })
}

test('it is dated after every existing migration, even if the clock is behind', async (t) => {
  const project = plantProject(t, { 'migrations/20270101000000_later.ts': '' })
  await makeMigration('one_more', { project }, recordingTerminal(), clock)
  assert.ok(existsSync(join(project, 'migrations', '20270101000001_one_more.ts')))
})

test('a project of JavaScript gets JavaScript', async (t) => {
  const project = plantProject(t, { 'project.js': '' })
  await makeMigration('one', { project }, recordingTerminal(), clock)
  assert.deepEqual(readdirSync(join(project, 'migrations')), ['20260131123045_one.js'])
})

test('a name that is there already, or is none, is refused and nothing is written', async (t) => {
  const project = plantProject(t, { 'migrations/20250101000000_one.ts': '' })
  for (const name of ['one', '', '../one', 'a'.repeat(101), "x'y"]) {
    const made = makeMigration(name, { project }, recordingTerminal(), clock)
    await assert.rejects(made, InvalidArgumentException)
  }
  assert.equal(readdirSync(join(project, 'migrations')).length, 1)
})
