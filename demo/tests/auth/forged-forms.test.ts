import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProjectServer } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { closeDemo, newEmail, password, registered } from './people.ts'
import { valueOn } from './read-page.ts'
import { Visitor } from './visitor.ts'

let app: ProjectServer
before(async () => {
  app = await serveDemo()
})
after(() => closeDemo(app))

test('a form without its token comes back with what was filled in, but no password', async () => {
  const email = newEmail()
  const fields = { email, password, password_confirmation: password }
  const visitor = new Visitor(app)
  const { status, to, message, page } = await visitor.follow(
    await visitor.ask('/register?from=home', {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { referer: `${site}/register?from=home` },
    }),
  )
  assert.deepEqual([status, to], [303, '/register?from=home'])
  assert.equal(message, 'This form has expired. Please send it again.')
  assert.equal(valueOn(page, 'email'), email)
  assert.doesNotMatch(page, new RegExp(password))
  assert.equal((await visitor.submit('/register', fields)).to, '/account')
})

for (const url of [
  '/register',
  '/login',
  '/logout',
  '/verify',
  '/forgot',
  `/reset/0123456789abcdef/${'0'.repeat(64)}`,
  '/password',
  '/devices/any/revoke',
  '/sessions/any/revoke',
]) {
  test(`POST ${url.slice(0, 20)} without a token changes nothing`, async () => {
    const { visitor } = await registered(app)
    const page = await visitor.ask(url, { method: 'POST', body: new URLSearchParams() })
    assert.equal(page.status, 403)
    assert.match(page.text, /This form has expired/)
    const script = await visitor.ask(url, {
      method: 'POST',
      body: {},
      headers: { accept: 'application/json' },
    })
    assert.equal(script.status, 403)
    assert.deepEqual(script.json(), { error: 'Invalid CSRF token' })
    assert.equal(await visitor.isSignedIn(), true)
  })
}

test('the token of somebody else is none', async () => {
  const { visitor } = await registered(app)
  const body = new URLSearchParams({ _token: await new Visitor(app).token() })
  assert.equal((await visitor.ask('/logout', { method: 'POST', body })).status, 403)
  assert.equal(await visitor.isSignedIn(), true)
})

test('a form that another site sends is refused, whatever token it has', async () => {
  const { visitor } = await registered(app)
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
    const body = new URLSearchParams({ _token: await visitor.token() })
    const { status } = await visitor.ask('/logout', { method: 'POST', body, headers })
    assert.equal(status, 403)
  }
  assert.equal(await visitor.isSignedIn(), true)
})
