import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { migrate } from '../../src/migrations/migrator.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { demoMigrations } from '../support/demo-tests.ts'
import { plantDemo } from '../support/plant-demo.ts'
import { plantProject } from '../support/plant-project.ts'

const project = `import { defineProject, databaseScope, env, scope } from 'framework'
  import { routeSet } from 'framework/http'
  const shop = scope('shop', {
    currency: env.string('SHOP_CURRENCY', { default: '', meaning: 'what prices are in' }),
  })
  const Home = routeSet('Home', (router) => { router.get('/', () => 'bread') })
  export default defineProject({
    name: 'shop',
    configs: { shop, database: databaseScope },
    routes: [Home],
    checks: ({ configs, environment }) =>
      configs.shop.currency === ''
        ? [{
            level: 'warning',
            what: 'SHOP_CURRENCY is not set in ' + environment,
            why: 'prices are shown without a currency',
            fix: 'set SHOP_CURRENCY, such as EUR',
          }]
        : [],
  })`

const ready = { APP_URL: 'https://shop.example', TRUSTED_PROXIES: '127.0.0.1' }

test('check --deploy of the demo without settings lists what is missing and exits with 1', async (t) => {
  const cwd = plantDemo(t)
  const env = { DATABASE_URL: 'postgres://ada:hunter2@db.internal/shop' }
  const { status, stdout, stderr } = await runCommand(t, ['check', '--deploy'], { cwd, env })
  assert.deepEqual([status, stderr], [1, ''])
  assert.match(stdout, /^framework check found 3 errors and \d warnings:\n\n/)
  assert.match(
    stdout,
    /^ {2}error {4}APP_URL is not set \(app-url\)\n {11}links in mails lead to http:\/\/localhost:8087, [^\n]+\n {11}→ set APP_URL to [^\n]+\n/m,
  )
  assert.match(stdout, /^ {2}error {4}APP_KEY is not set \(key\)$/m)
  assert.match(
    stdout,
    /^ {2}error {4}the connection to postgres:\/\/db\.internal:5432\/shop is not /m,
  )
  assert.match(stdout, /^ {2}warning {2}MAIL_HOST is not set \(mail\)$/m)
  assert.match(stdout, /^ {2}warning {2}the database cannot be asked for pending migrations/m)
  assert.doesNotMatch(stdout, /hunter2/)
})

test('check --deploy of the demo that is ready finds its pending migrations, and then nothing', async (t) => {
  const cwd = plantDemo(t)
  const env = {
    ...ready,
    APP_KEY: randomBytes(32).toString('hex'),
    MAIL_HOST: 'mail.example',
    MAIL_FROM: 'no-reply@shop.example',
    COOKIE_PREFIX: '__Host-',
  }
  const pending = await runCommand(t, ['check', '--deploy'], { cwd, env })
  assert.equal(pending.status, 1)
  assert.match(
    pending.stdout,
    /^framework check found 1 error:\n\n {2}error {4}\d+ migrations are pending, from 2026\w+ on \(migrations\)\n[^]*→ run framework migrate/,
  )
  const file = join(cwd, 'storage', 'database.sqlite')
  assert.equal(existsSync(file), false, 'it creates no file')
  const database = await connect(`sqlite:${file}`)
  await migrate(database, join(cwd, 'migrations'), { builtIn: demoMigrations })
  await database.close()
  const { status, stdout } = await runCommand(t, ['check', '--deploy'], { cwd, env })
  assert.match(
    stdout,
    /^framework check found no problems\n\n {2}note {5}AUTH_VERIFY is link: [^\n]+\n/,
  )
  assert.deepEqual([status, stdout.match(/^ {2}\w/gm)], [0, ['  n']])
  const developing = { ...env, FRAMEWORK_ENVIRONMENT: 'development' }
  const refused = await runCommand(t, ['check', '--deploy'], { cwd, env: developing })
  assert.match(refused.stdout, /^ {2}error {4}the environment is development \(environment\)$/m)
  assert.equal(refused.status, 1)
})

test('check prints JSON with the findings of the project, and without --deploy exits with 0', async (t) => {
  const cwd = plantProject(t, { 'project.ts': project, '.env': 'APP_ULR=https://shop.example\n' })
  const { status, stdout } = await runCommand(t, ['check', '--json'], { cwd })
  assert.equal(status, 0)
  const findings: readonly Readonly<Record<string, string>>[] = JSON.parse(stdout)
  assert.deepEqual(
    findings.map(({ check, level }) => [check, level]),
    [
      ['app-url', 'error'],
      ['variables', 'warning'],
      ['project', 'warning'],
    ],
  )
  assert.match(findings[1]?.['fix'] ?? '', /^did you mean APP_URL\?/)
  assert.deepEqual(findings[2], {
    check: 'project',
    level: 'warning',
    what: 'SHOP_CURRENCY is not set in production',
    why: 'prices are shown without a currency',
    fix: 'set SHOP_CURRENCY, such as EUR',
  })
})

test('a start in production prints the findings to stderr and goes on', async (t) => {
  const cwd = plantProject(t, { 'project.ts': project })
  const env = { ...ready, FRAMEWORK_ENVIRONMENT: 'prod', WORKERS: '2' }
  const server = new RunningCommand(t, ['serve', '--port', '0'], { cwd, env })
  const url = await server.url()
  await server.said(/→ set SHOP_CURRENCY/)
  assert.equal(await (await fetch(url)).text(), 'bread')
  assert.equal(await server.stop(), 0)
  assert.match(server.stderr, /^framework check found 2 warnings:\n\n {2}warning {2}FRAMEWORK_ENV/)
  assert.match(server.stderr, /use one of development, staging, test, production; did you mean/)
  assert.equal(server.stderr.match(/framework check/g)?.length, 1, 'not once per worker')
})

test('a start in development prints no findings', async (t) => {
  const cwd = plantProject(t, { 'project.ts': project })
  const args = ['serve', '--port', '0', '--environment', 'development']
  const server = new RunningCommand(t, args, { cwd })
  assert.equal(await (await fetch(await server.url())).text(), 'bread')
  assert.equal(await server.stop(), 0)
  assert.equal(server.stderr, '')
})
