import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { starters } from '../../src/console/new/choices.ts'
import { diskFrom } from '../../src/storage/storage-settings.ts'
import { Visitor } from '../../src/testing/visitor.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { diskKey } from '../support/disk-contract.ts'
import { freePort } from '../support/free-port.ts'
import { overHttp } from '../support/over-http.ts'
import { startS3 } from '../support/s3-server.ts'
import { tsc, Workshop } from './new-project-workshop.ts'

const workshop = new Workshop()
after(() => workshop.remove())
workshop.link()
const { program } = workshop
const run = ['--conditions=source', '--test']

// The starter, with the files of the clinic instead of its page for members.
const app = workshop.assemble({ name: 'clinic', starter: starters['auth'] ?? assert.fail() })
for (const example of ['tests/members.test.ts', 'views/members.template.html', 'messages']) {
  rmSync(join(app, example), { recursive: true })
}
cpSync(join(import.meta.dirname, '..', 'projects', 'clinic'), app, { recursive: true })

test('the clinic type-checks and passes its own tests', async (t) => {
  const flags = ['--noEmit', '--noUnusedLocals', '--noUnusedParameters']
  const types = await runCommand(t, [...flags, '--customConditions', 'source'], {
    cwd: app,
    program: [tsc],
  })
  assert.equal(types.status, 0, types.stdout)
  const tests = await runCommand(t, [], { cwd: app, program: run })
  assert.equal(tests.status, 0, tests.stdout)
})

const s3 = await startS3().catch((error: Error) => error)
after(() => (s3 instanceof Error ? undefined : s3.stop()))

test(
  'with another setting its letters are in a bucket',
  { skip: s3 instanceof Error && s3.message },
  async (t) => {
    if (s3 instanceof Error) throw s3
    const bucket = await s3.bucket()
    const env = {
      STORAGE_URL: bucket.url,
      AWS_ACCESS_KEY_ID: bucket.accessKey,
      AWS_SECRET_ACCESS_KEY: bucket.secretKey,
    }
    const tests = await runCommand(t, [], { cwd: app, program: run, env })
    assert.equal(tests.status, 0, tests.stdout)
    const disk = await diskFrom(bucket, { root: app, server: { url: '' } }, diskKey)
    const [letter] = (await disk.list('letters/')).objects
    assert.match(letter?.key ?? '', /^letters\/2026-11-05\/\d+\.pdf$/)
    assert.equal((await disk.find(letter?.key ?? ''))?.type, 'application/pdf')
  },
)

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
      assert.match(message ?? '', /^Konto erstellt/, JSON.stringify(errors))
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
