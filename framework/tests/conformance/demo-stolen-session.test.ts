import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  closeDemo,
  confirmed,
  password,
  registered,
  signedIn,
} from '../../../demo/tests/auth/people.ts'
import { Visitor } from '../../../demo/tests/auth/visitor.ts'
import { site } from '../../../demo/tests/serve-demo.ts'
import { assembleProject } from '../../src/web/projects/assemble-project.ts'
import type { RouteSummary } from '../../src/web/router/route.ts'
import type { ProjectServer } from '../../src/web/testing/project-server.ts'
import { totpCode } from '../../src/web/testing/totp-code.ts'

let app: ProjectServer
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
  app = { inject: (request) => server.inject(request), close: () => server.close() }
  routes = server.router.routes()
})
after(() => closeDemo(app))

/** What somebody with nothing but the session may send, and why. */
const unconfirmed: Readonly<Record<string, string>> = {
  '/verify': 'sends a link to the address of the account',
  '/password': 'asks for the current password itself',
  '/confirm/:method': 'takes the proof',
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

test('a stolen session changes neither password, factor nor token, and signs nobody out', async () => {
  const { visitor: owner, email } = await registered(app)
  const phone = await signedIn(app, email, { remember: '1' })
  await confirmed(owner)
  const setUp = await owner.submit('/account/two-factor')
  const key = /<code class="secret">([A-Z2-7 ]+)</.exec(setUp.page)?.[1] ?? ''
  await owner.send('/account/two-factor/enable', { code: totpCode(key) })
  const form = { name: 'Backup', 'account:read': 'on', days: '30' }
  const { token } = Object((await owner.send('/account/tokens', form)).json())
  const office = await signedIn(app, email)
  await office.submit('/login/factor/totp', { code: totpCode(key, Date.now() / 1000 + 30) })
  assert.equal(await phone.isSignedIn(), false, 'the factor has ended it')

  const thief = new Visitor(app)
  for (const [name, value] of office.cookies) thief.cookies.set(name, value)
  assert.equal(await thief.isSignedIn(), true)
  const { text: account } = await thief.ask('/account')
  const [, handle = ''] = /href="\/sessions\/([^"/]+)\/revoke"/.exec(account) ?? []
  assert.notEqual(handle, '')
  for (const { pattern } of routes.filter(isForm)) {
    if (pattern in unconfirmed) continue
    const id = pattern.startsWith('/account/tokens') ? String(token).slice(3, 19) : handle
    const path = pattern.replace(/:\w+/, id)
    const answer = await thief.submit(path, { ...form, code: totpCode(key) })
    assert.deepEqual([answer.status, answer.to], [303, '/confirm'], pattern)
  }
  const guess = { password: 'mine from now on', password_confirmation: 'mine from now on' }
  const refused = await thief.submit('/password', { ...guess, current: 'not this one' })
  assert.deepEqual(refused.errors, { current: 'Current password is incorrect.' })

  assert.equal(await owner.isSignedIn(), true)
  assert.match((await owner.ask('/account/two-factor')).text, /10 recovery codes are left/)
  const { text: tokens } = await owner.ask('/account/tokens')
  assert.equal(tokens.match(/action="\/account\/tokens\/[^"]+\/revoke"/g)?.length, 1)
  const headers = { authorization: `Bearer ${token}`, accept: '*/*' }
  assert.equal((await new Visitor(app).ask('/api/account', { headers })).status, 200)
  const again = new Visitor(app)
  assert.equal((await again.submit('/login', { email, password })).to, '/login/factor')
})
