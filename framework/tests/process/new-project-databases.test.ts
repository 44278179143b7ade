import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { databaseChoices } from '../../src/console/new/choices.ts'
import { RunningCommand } from '../support/command.ts'
import { startMariadb } from '../support/mariadb-server.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { assertReadable } from './new-project-checks.ts'
import { Workshop } from './new-project-workshop.ts'

const workshop = new Workshop()
before(() => workshop.link())
after(() => workshop.remove())

const kinds = [
  { kind: 'postgres', driver: 'pg', start: startPostgres },
  { kind: 'mariadb', driver: 'mariadb', start: startMariadb },
]

for (const { kind, driver, start } of kinds) {
  test(`a project for ${kind} has the driver, says where to configure it, and serves its rows`, async (t) => {
    const database = databaseChoices[kind] ?? assert.fail()
    const app = workshop.assemble({ database })
    assertReadable(app)
    const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
    assert.match(manifest.dependencies[driver], /^\d+\.\d+\.\d+$/)
    const expected = new RegExp(`^DATABASE_URL=${kind}://\\S+/shop-\\d+$`, 'm')
    assert.match(readFileSync(join(app, '.env'), 'utf8'), expected)
    assert.match(readFileSync(join(app, '.env.example'), 'utf8'), expected)
    assert.equal(statSync(join(app, '.env')).mode & 0o777, 0o600)

    const running = await start()
    t.after(() => running.stop())
    const env = { DATABASE_URL: await running.createDatabase() }
    const flags = ['serve', '--port', '0', '--environment', 'development']
    const { program } = workshop
    const server = new RunningCommand(t, flags, { cwd: app, program, env })
    const answer = await fetch(`${await server.url()}/items`)
    assert.equal(answer.headers.get('x-total-count'), '200')
    assert.equal(await server.stop(), 0, server.stderr)
  })
}
