import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'

const files = {
  'migrations/20260101000000_create_posts_table.ts': `
    export const up = (schema) => schema.createTable('posts', (table) => { table.key(); table.text('title') })`,
  'entities/posts.ts': `
    import { entity, integer, key, text } from 'framework/orm'
    export const Posts = entity('posts', { id: key.integer(), title: text(), views: integer() })
    export const notAnEntity = 1`,
}

test('migrate check says what differs, prints the migration that mends it, and then finds nothing', async (t) => {
  const cwd = plantProject(t, files)
  const run = (line: string): ReturnType<typeof runCommand> =>
    runCommand(t, line.split(' '), { cwd })
  await run('migrate')
  const found = await run('migrate check')
  assert.deepEqual([found.status, found.stderr], [1, ''])
  assert.match(found.stdout, /^differs {2}posts\.views does not exist\n/)
  const source = found.stdout.slice(found.stdout.indexOf('import type { Schema }'))
  assert.match(source, /addColumn\('posts', \(table\) => table\.integer\('views'\)\.default\(0\)\)/)
  writeFileSync(join(cwd, 'migrations/20260102000000_add_views_to_posts.ts'), source)
  const pending = await run('migrate check --json')
  assert.equal(pending.status, 1)
  const report: unknown = JSON.parse(pending.stdout)
  assert.ok(typeof report === 'object' && report !== null && 'pending' in report)
  assert.deepEqual(report.pending, ['20260102000000_add_views_to_posts'])
  await run('migrate')
  const clean = await run('migrate check')
  assert.equal(clean.status, 0)
  assert.match(clean.stdout, /database\.sqlite: 1 entity, no difference\n$/)
  const lost = await run('migrate check --entities models')
  assert.equal(lost.status, 1)
  assert.match(lost.stderr, /there is no folder .*models; put the entities of the project there/)
})
