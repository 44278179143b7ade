import assert from 'node:assert/strict'
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { starters } from '../../src/console/new/choices.ts'
import { runCommand } from '../support/command.ts'
import { Workshop } from './new-project-workshop.ts'

const demo = join(import.meta.dirname, '..', '..', '..', 'demo')
const workshop = new Workshop()
before(() => workshop.prepare(), { timeout: 400_000 })
after(() => workshop.remove())

/** Tests of the demo in the folder of accounts that are about something else which needs them. */
const aboutOthers = ['error-inbox.test.ts', 'orders.test.ts']

test('every flow of accounts of the demo works in a project from the starter auth', async (t) => {
  const app = workshop.assemble({ starter: starters['auth'] ?? assert.fail() })
  const take = (path: string): void =>
    cpSync(join(demo, path), join(app, path), { recursive: true })
  // The same options are on.
  take('accounts.ts')
  // Pages that the tests ask for: one for programs with a token, and one that fails.
  take('routes/api.ts')
  take('routes/failure.ts')
  const manifest = join(app, 'routes', 'manifest.ts')
  const own = readFileSync(manifest, 'utf8')
    .replace(
      'import',
      `import { Api } from './api.ts'\nimport { Failure } from './failure.ts'\nimport`,
    )
    .replace('[\n  Home,', '[\n  Home,\n  Api,\n  Failure,')
  assert.match(own, /Failure,/)
  writeFileSync(manifest, own)
  take('tests/serve-demo.ts')
  take('tests/auth')
  const account = `export { member as demoAccount } from './seeds/accounts.ts'\n`
  writeFileSync(join(app, 'demo-account.ts'), account)

  const files = globSync('tests/auth/*.test.ts', { cwd: app })
  const chosen = files.filter((file) => !aboutOthers.some((name) => file.endsWith(`/${name}`)))
  assert.equal(chosen.length, files.length - aboutOthers.length)
  // In one process, which is twice as fast.
  const run = ['--test', '--test-isolation=none', ...chosen]
  const { status, stdout } = await runCommand(t, [], { cwd: app, program: run })
  assert.equal(status, 0, stdout)
  assert.ok(Number(/^ℹ pass (\d+)$/m.exec(stdout)?.[1]) > 200, stdout)
})
