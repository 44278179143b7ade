import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { demoAccount } from '../../../demo/demo-account.ts'
import { demoMigrations, emptyDatabase, serveDemo } from '../support/demo-tests.ts'
import { Environments } from '../../src/settings/environments.ts'
import { connect } from '../../src/database/connect.ts'
import { migrate } from '../../src/migrations/migrator.ts'
import { seed } from '../../src/migrations/seed.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { assembleProject } from '../../src/project/start/assemble-project.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { plantDemo } from '../support/plant-demo.ts'

// The password of the demo account is public.

const demo = join(import.meta.dirname, '..', '..', '..', 'demo')

/** A production database: migrated, and seeded by mistake. */
async function productionDatabase(t: TestContext): Promise<string> {
  const url = emptyDatabase(t)
  const database = await connect(url)
  await migrate(database, join(demo, 'migrations'), { builtIn: demoMigrations })
  await seed(database, join(demo, 'seeds'), { environment: 'production' })
  await database.close()
  return url
}

for (const environment of ['development', 'test'] as const) {
  test(`in ${environment} the demo account exists from the first start, verified`, async (t) => {
    const app = await serveDemo({ environment })
    t.after(() => app.close())
    const { to, page } = await app.visitor().submit('/login', demoAccount)
    assert.equal(to, '/account')
    assert.doesNotMatch(page, /Not verified/)
  })
}

for (const environment of ['production', 'staging'] as const) {
  test(`in ${environment} the demo account cannot sign in, even if the seeds were run`, async (t) => {
    const DATABASE_URL = await productionDatabase(t)
    const app = await serveDemo({ environment, env: { DATABASE_URL } })
    t.after(() => app.close())
    const { to, message } = await app.visitor().submit('/login', demoAccount)
    assert.deepEqual([to, message], ['/login', 'Invalid credentials.'])
  })
}

test('seeds without an environment leave the demo account out', async (t) => {
  const database = await connect(emptyDatabase(t))
  t.after(() => database.close())
  await migrate(database, join(demo, 'migrations'), { builtIn: demoMigrations })
  await seed(database, join(demo, 'seeds'))
  assert.deepEqual(await database.rows(sql`SELECT email FROM users`), [])
})

for (const [environment, emails] of [
  [undefined, []],
  ['production', []],
  ['development', [demoAccount.email]],
] as const) {
  test(`framework seed in ${environment ?? 'no'} environment creates ${emails.length} account`, async (t) => {
    const cwd = plantDemo(t)
    const database = await connect(`sqlite:${join(cwd, 'storage', 'database.sqlite')}`)
    t.after(() => database.close())
    await migrate(database, join(demo, 'migrations'), { builtIn: demoMigrations })
    const flags = environment === undefined ? [] : ['--environment', environment]
    const { status, stderr } = await runCommand(t, ['seed', ...flags], { cwd })
    assert.equal(status, 0, stderr)
    const rows = await database.rows(sql`SELECT email FROM users`)
    assert.deepEqual(
      rows.map(({ email }) => email),
      emails,
    )
  })
}

test('the banner prints the account in development only', async (t) => {
  const prepared = await productionDatabase(t)
  for (const environment of Object.values(Environments)) {
    const { server, banner } = await assembleProject({
      root: demo,
      environment,
      env: {
        DATABASE_URL: prepared,
        APP_KEY: randomBytes(32).toString('hex'),
        LOG_LEVEL: 'silent',
      },
      workers: 1,
    })
    await server.close()
    const account = banner.find(({ label }) => label === 'account')
    const expected =
      environment === 'development' ? `${demoAccount.email} / ${demoAccount.password}` : undefined
    assert.equal(account?.value, expected, environment)
  }
})

test('the first start in development prints the account on the terminal', async (t) => {
  const command = new RunningCommand(t, ['serve', '--environment', 'development'], {
    cwd: plantDemo(t),
    env: { PORT: '0' },
  })
  await command.url()
  assert.ok(command.stdout.includes(`${demoAccount.email} / ${demoAccount.password}`))
  assert.equal(await command.stop(), 0)
})
