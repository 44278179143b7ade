import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { runCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'

const posts = `
  import type { Schema } from 'framework/database'
  export async function up(schema: Schema): Promise<void> {
    await schema.createTable('posts', (table) => {
      table.key()
      table.text('title', { length: 80 }).unique()
    })
  }
  export const down = (schema: Schema) => schema.dropTable('posts')`
const tags = posts.replaceAll('posts', 'tags')
const files = {
  'migrations/20260101000000_create_posts_table.ts': posts,
  'migrations/20260102000000_create_tags_table.ts': tags,
}

const project = `
  import { defineProject } from 'framework'
  export default defineProject({ name: 'posts', routes: [] })`

type Answer = Awaited<ReturnType<typeof runCommand>>

function run(t: TestContext, cwd: string, line: string, env = {}): Promise<Answer> {
  return runCommand(t, line.split(' '), { cwd, env })
}

test('migrate applies migrations, prints a table, and then has nothing to do', async (t) => {
  const cwd = plantProject(t, files)
  const first = await run(t, cwd, 'migrate')
  assert.deepEqual([first.status, first.stderr], [0, ''])
  assert.match(first.stdout, /^migration +state +batch +took\n/)
  assert.match(first.stdout, /^20260101000000_create_posts_table +applied +1 +\d+ ms$/m)
  assert.match(first.stdout, /^20260102000000_create_tags_table +applied +1 +\d+ ms$/m)
  assert.ok(existsSync(join(cwd, 'storage', 'database.sqlite')))
  const second = await run(t, cwd, 'migrate up')
  assert.equal(second.status, 0)
  assert.match(second.stdout, /database\.sqlite: nothing to migrate, everything is applied\n$/)
})

test('the database is that of the project, wherever the command is run', async (t) => {
  const root = plantProject(t, files)
  const elsewhere = plantProject(t, {})
  assert.equal((await run(t, elsewhere, `migrate --project ${root}`)).status, 0)
  assert.ok(existsSync(join(root, 'storage', 'database.sqlite')))
  assert.ok(!existsSync(join(elsewhere, 'storage')))
})

test('steps are counted in both directions', async (t) => {
  const cwd = plantProject(t, files)
  const one = await run(t, cwd, 'migrate up --steps 1')
  assert.equal(one.stdout.match(/ applied /g)?.length, 1)
  await run(t, cwd, 'migrate')
  const down = await run(t, cwd, 'migrate down')
  assert.equal(down.status, 0)
  assert.match(down.stdout, /^20260102000000_create_tags_table +rolled back +2 /m)
  assert.doesNotMatch(down.stdout, /posts/)
  assert.match(
    (await run(t, cwd, 'migrate down --steps 5')).stdout,
    /create_posts_table +rolled back/,
  )
  assert.match((await run(t, cwd, 'migrate down')).stdout, /nothing to roll back\n$/)
})

test('status shows the state of each migration, and fails when up would refuse', async (t) => {
  const cwd = plantProject(t, files)
  await run(t, cwd, 'migrate --steps 1')
  const good = await run(t, cwd, 'migrate status')
  assert.equal(good.status, 0)
  assert.match(good.stdout, /^database {2}sqlite:.*database\.sqlite\n/)
  assert.match(good.stdout, /_posts_table +applied +1 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m)
  assert.match(good.stdout, /_tags_table +pending$/m)
  writeFileSync(join(cwd, 'migrations/20260101000000_create_posts_table.ts'), `${posts}\n//`)
  const bad = await run(t, cwd, 'migrate status')
  assert.equal(bad.status, 1)
  assert.match(bad.stdout, /_posts_table +changed +1/)
  const refused = await run(t, cwd, 'migrate')
  assert.equal(refused.status, 1)
  assert.match(
    refused.stderr,
    /^error nothing was migrated[^]*_posts_table was changed[^]*\[E_MIGRATION\]\n$/,
  )
  assert.equal((await run(t, cwd, 'migrate --force')).status, 0)
  assert.equal((await run(t, cwd, 'migrate status')).status, 0)
})

test('a failure is printed after what was done, with status 1 and no stack', async (t) => {
  const broken = `export const up = (schema) => schema.run({ sql: 'CREATE TABEL x', parameters: [] })`
  const cwd = plantProject(t, {
    ...files,
    'migrations/20260102000000_create_tags_table.ts': broken,
  })
  const { status, stdout, stderr } = await run(t, cwd, 'migrate')
  assert.equal(status, 1)
  assert.match(stdout, /^20260101000000_create_posts_table +applied/m)
  assert.match(stderr, /^error 20260102000000_create_tags_table failed while migrating up: .*TABEL/)
  assert.match(
    stderr,
    /It was rolled back completely; fix it and run it again\. \[E_MIGRATION\]\n$/,
  )
  assert.doesNotMatch(stderr, /\n {4}at /)
})

test('fresh needs --force in production, which is the default environment', async (t) => {
  const cwd = plantProject(t, files)
  await run(t, cwd, 'migrate')
  const refused = await run(t, cwd, 'migrate fresh')
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /^error fresh would drop every table of sqlite:.*this is production/)
  for (const line of ['migrate fresh --force', 'migrate fresh --environment development']) {
    const { status, stdout } = await run(t, cwd, line)
    assert.equal(status, 0)
    assert.equal(stdout.match(/ applied /g)?.length, 2)
  }
})

test('seed runs the seeds of the project', async (t) => {
  const seed = `
    import { sql } from 'framework/database'
    export const seed = (database) => database.run(sql\`INSERT INTO posts (title) VALUES (\${'secret title'})\`)`
  const cwd = plantProject(t, { ...files, 'seeds/posts.ts': seed })
  await run(t, cwd, 'migrate')
  const first = await run(t, cwd, 'seed')
  assert.deepEqual([first.status, first.stdout], [0, 'seed   state\nposts  done\n'])
  const again = await run(t, cwd, 'seed')
  assert.equal(again.status, 1)
  assert.match(again.stderr, /^error seed posts failed: .*posts\.title.*\[E_SEED\]\n$/)
  assert.doesNotMatch(again.stderr, /secret title/)
})

test('seed says which seeds it skipped, and why', async (t) => {
  const cwd = plantProject(t, {
    'seeds/people.ts': `
      export const environments = ['development', 'test']
      export const seed = () => process.stdout.write('people\\n')`,
    'seeds/shelves.ts': "export const seed = () => process.stdout.write('shelves\\n')",
    'seeds/wrong.ts': "export const environments = 'test'; export const seed = () => {}",
  })
  const refused = await run(t, cwd, 'seed')
  assert.match(refused.stderr, /wrong\.ts must export a list of names as environments, such as/)
  rmSync(join(cwd, 'seeds', 'wrong.ts'))
  const { status, stdout } = await run(t, cwd, 'seed')
  const skipped = 'skipped: only for development and test, and this is production'
  assert.deepEqual(
    [status, stdout],
    [0, `shelves\nseed     state\npeople   ${skipped}\nshelves  done\n`],
  )
  const { stdout: all } = await run(t, cwd, 'seed --environment development')
  assert.equal(all, 'people\nshelves\nseed     state\npeople   done\nshelves  done\n')
})

test('make:migration writes a migration that runs once it is filled in', async (t) => {
  const cwd = plantProject(t, { 'project.ts': project })
  for (const name of ['create_posts_table', 'add_slug_to_posts']) {
    const { status, stdout } = await run(t, cwd, `make:migration ${name}`)
    assert.equal(status, 0)
    assert.match(stdout, new RegExp(`^migrations/\\d{14}_${name}\\.ts\\n$`))
  }
  const [first = ''] = readdirSync(join(cwd, 'migrations')).toSorted()
  const fresh = await run(t, cwd, 'migrate')
  assert.equal(fresh.status, 1)
  assert.match(
    fresh.stderr,
    new RegExp(`^error .* is not filled in yet: .*/${first} \\[E_MIGRATION\\]\\n$`),
  )
  const file = join(cwd, 'migrations', first)
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^ +\/\/.*\n/m, ''))
  const up = await run(t, cwd, 'migrate')
  assert.deepEqual([up.status, up.stderr], [0, ''])
  const down = await run(t, cwd, 'migrate down')
  assert.deepEqual([down.status, down.stderr], [0, ''])
})

test('a project without migrations and wrong arguments have different errors', async (t) => {
  const cwd = plantProject(t, {})
  for (const line of ['migrate', 'migrate status']) {
    const { status, stderr } = await run(t, cwd, line)
    assert.equal(status, 1)
    assert.match(stderr, /^error there is no folder .*migrations; .* \[E_MIGRATION\]\n$/)
  }
  for (const line of [
    'migrate sideways',
    'migrate --steps 0',
    'migrate --steps x',
    'make:migration',
  ]) {
    const { status, stderr } = await run(t, cwd, line)
    assert.equal(status, 2, line)
    assert.match(stderr, /^error /)
  }
})

test('help lists the database commands', async (t) => {
  const cwd = plantProject(t, {})
  const { stdout } = await run(t, cwd, 'help')
  for (const name of ['migrate', 'seed', 'make:migration']) {
    assert.match(stdout, new RegExp(`^ {2}${name} `, 'm'))
  }
  const { stdout: more } = await run(t, cwd, 'help migrate')
  assert.match(more, /choices: "up", "down",\s+"status",\s+"check", "fresh", default: "up"/)
  for (const option of ['steps', 'force', 'project', 'environment']) {
    assert.match(more, new RegExp(`--${option}\\b`))
  }
})

test('no password is ever printed', async (t) => {
  const cwd = plantProject(t, { ...files, 'seeds/a.ts': 'export const seed = () => undefined' })
  const urls = [
    'postgres://ada:hunter2@127.0.0.1:1/shop',
    'mariadb://ada:hunter2@127.0.0.1:1/shop',
    'oracle://ada:hunter2@127.0.0.1/shop',
    'postgres://ada:hunter2@127.0.0.1',
  ]
  for (const url of urls) {
    for (const line of ['migrate', 'migrate status --verbose', 'migrate fresh --force', 'seed']) {
      const { status, stdout, stderr } = await run(t, cwd, line, { DATABASE_URL: url })
      assert.equal(status, 1, `${line} with ${url}: ${stderr}`)
      assert.doesNotMatch(stdout + stderr, /hunter2/)
      assert.match(stderr, /\[E_(CONNECTION_LOST|CONFIG_INVALID)\]/)
    }
  }
})
