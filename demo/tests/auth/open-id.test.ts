import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveDemo } from '../serve-demo.ts'
import { confirmed, registered } from './people.ts'

test('while no other site is configured, nothing of it is there', async (t) => {
  const app = await serveDemo({ env: { OIDC_COMPANY_ISSUER: '' } })
  t.after(() => app.close())
  assert.doesNotMatch((await app.visitor().ask('/login')).text, /\/login\/oidc/)
  const { visitor } = await registered(app)
  await confirmed(visitor)
  assert.doesNotMatch((await visitor.ask('/account')).text, /sign-ins/)
  for (const path of ['/account/sign-ins', '/login/oidc/company/callback']) {
    assert.equal((await visitor.ask(path)).status, 404)
  }
})

test('an issuer on another machine without HTTPS is refused before the project starts', async () => {
  const env = { OIDC_COMPANY_ISSUER: 'http://192.0.2.1/', OIDC_COMPANY_CLIENT_ID: 'demo' }
  await assert.rejects(serveDemo({ env }), /OIDC_COMPANY_ISSUER/)
})
