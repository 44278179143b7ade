import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { starters } from '../../src/console/new/choices.ts'
import { Visitor } from '../../src/testing/visitor.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { overHttp } from '../support/over-http.ts'
import { tsc, Workshop } from './new-project-workshop.ts'

const workshop = new Workshop()
after(() => workshop.remove())
workshop.link()
const { program } = workshop

// The starter, with the files of the clinic instead of its page for members.
const app = workshop.assemble({ name: 'clinic', starter: starters['auth'] ?? assert.fail() })
for (const example of ['tests/members.test.ts', 'views/members.template.html']) {
  rmSync(join(app, example))
}
cpSync(join(import.meta.dirname, '..', 'projects', 'clinic'), app, { recursive: true })

test('the clinic type-checks and passes its own tests', async (t) => {
  const flags = ['--noEmit', '--noUnusedLocals', '--noUnusedParameters']
  const types = await runCommand(t, [...flags, '--customConditions', 'source'], {
    cwd: app,
    program: [tsc],
  })
  assert.equal(types.status, 0, types.stdout)
  const run = ['--conditions=source', '--test']
  const tests = await runCommand(t, [], { cwd: app, program: run })
  assert.equal(tests.status, 0, tests.stdout)
})

test('of patients who want a slot at once, on three workers, exactly one gets it', async (t) => {
  const env = { PORT: String(await freePort()) }
  const server = new RunningCommand(t, ['serve', '--workers', '3'], { cwd: app, program, env })
  const site = overHttp(await server.url())
  // As many as may register from one address.
  const patients = await Promise.all(
    Array.from({ length: 5 }, async (_, at) => {
      const visitor = new Visitor(site, { tokenPage: '/login' })
      const [email, password] = [`p${at}@example.com`, 'quiet copper lamp']
      const form = { name: `Patient ${at}`, email, password, password_confirmation: password }
      const { message, errors } = await visitor.submit('/register', form)
      assert.match(message ?? '', /^Account created!/, JSON.stringify(errors))
      return { visitor, token: await visitor.token() }
    }),
  )
  const slot = { day: '2026-11-06', time: '11:00' }
  const sent = await Promise.all(
    patients.map(({ visitor, token }) =>
      visitor.ask('/bookings', {
        method: 'POST',
        headers: { accept: 'application/json', 'x-csrf-token': token },
        body: slot,
      }),
    ),
  )
  const statuses = sent.map(({ status }) => status).toSorted((one, other) => one - other)
  assert.deepEqual(statuses, [200, ...Array.from({ length: 4 }, () => 409)])
})
