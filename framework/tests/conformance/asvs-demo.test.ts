import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered } from '../../../demo/tests/auth/people.ts'
import { preparedDatabase, serveDemo } from '../support/demo-tests.ts'
import type { ProjectServer } from '../../src/testing/project-server.ts'
import { walk } from './demo-walk.ts'
import type { Step } from './demo-walk.ts'

// Rows of docs/asvs.md that concern what the pages of the demo look like.

const DATABASE_URL = await preparedDatabase({ after })
let app: ProjectServer
let guest: readonly Step[]
let member: readonly Step[]
before(async () => {
  app = await serveDemo({ environment: 'production', env: { DATABASE_URL } })
  guest = await walk(app.visitor(), '/')
  member = await walk((await registered(app)).visitor, '/account')
})
after(() => app.close())

test('password fields are masked and known to password managers, and can be pasted into (6.2.6, 6.2.7)', () => {
  const fields = [...guest, ...member].flatMap(
    ({ answer }) => answer.text.match(/<input\b[^>]*>/g) ?? [],
  )
  const secret = fields.filter((tag) => /name="(?:password|current)/.test(tag))
  assert.ok(secret.length >= 5)
  for (const tag of secret) {
    assert.match(tag, /type="password"/)
    assert.match(tag, /autocomplete="(?:current|new)-password"/)
    assert.doesNotMatch(tag, /\bon\w+=|maxlength|readonly/)
  }
})

test('every page of a signed-in visitor offers to sign out (7.4.4)', () => {
  const pages = member.filter(
    ({ path, answer }) =>
      answer.status === 200 && answer.text.includes('<nav') && path !== '/metrics',
  )
  assert.ok(pages.length >= 4)
  for (const { path, answer } of pages) assert.match(answer.text, /action="\/logout"/, path)
})

test('no path answers TRACE (13.4.4)', async () => {
  for (const url of ['/', '/login', '/health', '/nothing']) {
    const { status, text } = await app.visitor().ask(url, { method: 'TRACE' })
    assert.ok(status === 404 || status === 405, `${url} ${status}`)
    assert.doesNotMatch(text, /TRACE/)
  }
})
