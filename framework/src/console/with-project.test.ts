import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { plantProject } from '../../tests/support/plant-project.ts'
import type { Database } from '../database/surface.ts'
import { sql } from '../database/sql/plan/statement.ts'
import { Environments } from '../settings/environments.ts'
import { withDatabase, withServer, withServices } from './with-project.ts'
import type { ProjectFlags } from './with-project.ts'

const options = { channel: 'console', output: process.stderr }

/** A project with two services, which write their names when they are closed. */
function plant(t: TestContext, more = ''): ProjectFlags {
  const project = plantProject(t, {
    'project.ts': `import { appendFileSync } from 'node:fs'
      import { join } from 'node:path'
      import { defineProject } from 'framework'
      const closing = (name: string) => ({
        close: () => appendFileSync(join(import.meta.dirname, 'closed.txt'), name + ' '),
      })
      export default defineProject({
        name: 'shop',
        services: () => ({ first: closing('first'), last: closing('last') }),
        routes: [],
        ${more}
      })`,
    '.env': 'DATABASE_URL=sqlite:shop.sqlite\n',
  })
  const { FRAMEWORK_ENVIRONMENT: before } = process.env
  t.after(() => {
    if (before === undefined) delete process.env['FRAMEWORK_ENVIRONMENT']
    else process.env['FRAMEWORK_ENVIRONMENT'] = before
  })
  return { project, environment: Environments.Test }
}

/** The services that were closed, in order. */
function closedIn({ project }: ProjectFlags): string {
  const file = join(project, 'closed.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

test('services are open while a command works with them, and closed after it', async (t) => {
  const flags = plant(t)
  const during = await withServices(flags, options, async ({ name }) => name + closedIn(flags))
  assert.equal(during, 'shop')
  assert.equal(closedIn(flags), 'last first')
})

test('a project whose queues a command refuses closes its services', async (t) => {
  const flags = plant(t, `queues: () => Object('mail'),`)
  await assert.rejects(
    withServices(flags, options, async ({ queues }) => queues()),
    { code: 'E_QUEUE' },
  )
  assert.equal(closedIn(flags), 'last first')
})

test('a command that fails with a server closes its services', async (t) => {
  const flags = plant(t)
  const failing = withServer(flags, () => {
    assert.equal(closedIn(flags), '')
    throw new Error('no such route')
  })
  await assert.rejects(failing, { message: 'no such route' })
  assert.equal(closedIn(flags), 'last first')
})

test('a project that is refused at its start closes its services, and no command works with it', async (t) => {
  const flags = plant(t, `sweeps: () => Object([]),`)
  const refused = withServer(flags, () => assert.fail('it has started'))
  await assert.rejects(refused, { code: 'E_PROJECT', message: /"sweeps" must return an object/ })
  assert.equal(closedIn(flags), 'last first')
})

test('a command that fails with a database closes it', async (t) => {
  const files = { folder: 'migrations', list: async () => {} }
  const opened: Database[] = []
  const failing = withDatabase(plant(t), files, async ({ database }) => {
    opened.push(database)
    assert.equal((await database.rows(sql`SELECT 1 AS one`)).length, 1)
    throw new Error('no such seed')
  })
  await assert.rejects(failing, { message: 'no such seed' })
  const [database = assert.fail('it was not opened')] = opened
  await assert.rejects(database.rows(sql`SELECT 1 AS one`), /closed/)
})
