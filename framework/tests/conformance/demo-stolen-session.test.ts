import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  confirmed,
  isSignedIn,
  password,
  registered,
  signedIn,
  verified,
} from '../../../demo/tests/auth/people.ts'
import { serveDemo, site } from '../support/demo-tests.ts'
import type { DemoServer } from '../support/demo-tests.ts'
import { assembleProject } from '../../src/project/start/assemble-project.ts'
import type { RouteSummary } from '../../src/http/router/route.ts'
import { totpCode } from '../../src/accounts/factors/factor-testing.ts'

let app: DemoServer
let routes: readonly RouteSummary[]
before(async () => {
  const { server } = await assembleProject({
    root: join(import.meta.dirname, '../../../demo'),
    environment: 'test',
    env: {
      LOG_LEVEL: 'silent',
      APP_URL: site,
      APP_KEY: randomBytes(32).toString('hex'),
      DATABASE_URL: 'sqlite::memory:',
    },
    workers: 1,
  })
  app = await serveDemo()
  routes = server.router.routes()
  await server.close()
})
after(() => app.close())

/** What somebody with nothing but the session may send, and why. */
const unconfirmed: Readonly<Record<string, string>> = {
  '/verify': 'sends a link to the address of the account',
  '/password': 'asks for the current password itself',
  '/confirm/:method': 'takes the proof',
  '/devices/:id/revoke': 'one click for an owner who sees a stranger in the list',
  '/sessions/:id/revoke': 'the same',
  '/account/delete/cancel': 'keeps the account as it is',
  '/account/mailbox': 'sends a code to the address of the account',
  '/account/mailbox/code': 'takes the code, and adds nothing by itself',
  '/account/timezone': 'changes how times are written, and nothing else',
  '/account/email/:selector/:verifier': 'takes the link in the mail to the new address',
  '/confirm/passkey/options': 'asks for the proof',
  '/api/items/:id<int>/orders': 'takes API tokens, never a session',
}

/** A form of the owner of an account; the error inbox is for those who run the site. */
const isForm = ({ method, middlewares, set }: RouteSummary): boolean =>
  method === 'POST' && middlewares.includes('Authentication') && set !== 'ErrorInbox'

test('every form of the account asks who you are, or is listed here', () => {
  const open = routes.filter((route) => isForm(route) && !route.middlewares.includes('Confirmed'))
  assert.deepEqual(
    open.map(({ pattern }) => pattern).toSorted(),
    Object.keys(unconfirmed).toSorted(),
  )
})

test('a stolen session changes neither e-mail, password, factor nor token', async () => {
  const { visitor: owner, email } = await verified(app)
  const phone = await signedIn(app, email, { remember: '1' })
  await confirmed(owner)
  const setUp = await owner.submit('/account/two-factor')
  const key = /<code class="secret">([A-Z2-7 ]+)</.exec(setUp.page)?.[1] ?? ''
  await owner.send('/account/two-factor/enable', { code: totpCode(key) })
  const form = { name: 'Backup', 'account:read': 'on', days: '30' }
  const { token } = Object((await owner.send('/account/tokens', form)).json())
  const office = await signedIn(app, email)
  await office.submit('/login/factor/totp', { code: totpCode(key, Date.now() / 1000 + 30) })
  assert.equal(await isSignedIn(phone), false, 'the factor has ended it')

  const thief = app.visitor()
  for (const [name, value] of office.cookies) thief.cookies.set(name, value)
  assert.equal(await isSignedIn(thief), true)
  for (const { pattern } of routes.filter(isForm)) {
    if (pattern in unconfirmed) continue
    const path = pattern.replace(/:\w+/, String(token).slice(3, 19))
    const answer = await thief.submit(path, { ...form, code: totpCode(key) })
    assert.deepEqual([answer.status, answer.to], [303, '/confirm'], pattern)
  }
  const guess = { password: 'mine from now on', password_confirmation: 'mine from now on' }
  const refused = await thief.submit('/password', { ...guess, current: 'not this one' })
  assert.deepEqual(refused.errors, { current: 'Current password is incorrect.' })

  assert.equal(await isSignedIn(owner), true)
  assert.match((await owner.ask('/account/two-factor')).text, /10 recovery codes are left/)
  const { text: tokens } = await owner.ask('/account/tokens')
  assert.equal(tokens.match(/action="\/account\/tokens\/[^"]+\/revoke"/g)?.length, 1)
  const headers = { authorization: `Bearer ${token}`, accept: '*/*' }
  assert.equal((await app.visitor().ask('/api/account', { headers })).status, 200)
  const again = app.visitor()
  assert.equal((await again.submit('/login', { email, password })).to, '/login/factor')
})

test('nothing that outlives a password gets into an account before its address is verified', async () => {
  const { visitor } = await registered(app)
  await confirmed(visitor)
  const lasting = /^\/account\/(?:two-factor|passkeys|tokens)/
  const forms = routes.filter(({ pattern }) => lasting.test(pattern))
  assert.equal(forms.length, 14)
  for (const { method, pattern } of forms) {
    const path = pattern.replace(':id', 'x'.repeat(16))
    const outcome = method === 'POST' ? await visitor.submit(path) : await visitor.open(path)
    const { to, message } = outcome
    assert.deepEqual([to, message], ['/account', 'Please verify your e-mail first.'], pattern)
  }
})
