import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Visitor } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { confirmed, isSignedIn, password, registered, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const changed = { password: 'another quiet lamp', password_confirmation: 'another quiet lamp' }
const subject = 'New sign-in to your account'

async function titles(visitor: Visitor, url: string = '/account/activity'): Promise<string[]> {
  const { text } = await visitor.ask(url)
  return [...text.matchAll(/class="row-name">([^<]+?) ?</g)].map(([, title = '']) => title)
}

test('everything that happens to an account is listed, newest first', async () => {
  const { visitor, email } = await registered(app)
  const other = await signedIn(app, email, { remember: '1' })
  other.cookies.delete('session')
  await isSignedIn(other)
  await (await confirmed(visitor)).submit('/logout/others')
  await visitor.submit('/password', { current: 'not this one', password: 'x' })
  await visitor.submit('/password', { current: password, ...changed })
  assert.deepEqual(await titles(visitor), [
    'Password changed',
    'Wrong password refused',
    'Signed out another browser everywhere else',
    'Confirmed that it is you with a password',
    'Signed in again by a remembered browser',
    'Signed in with a password',
    'Account created',
  ])
  const { text } = await visitor.ask('/account/activity')
  assert.match(text, /Safari on iPhone/)
  assert.match(text, /10\.0\.\d+\.0\/24/)
})

test('older events are on the next page, and nobody sees those of others', async () => {
  const { visitor } = await registered(app)
  await confirmed(visitor)
  for (let round = 0; round < 20; round += 1) await visitor.submit('/logout/others')
  const first = await visitor.ask('/account/activity')
  const [, next = ''] = /href="(\/account\/activity\?cursor=[^"]+)"/.exec(first.text) ?? []
  assert.equal((await titles(visitor)).length, 20)
  assert.deepEqual((await titles(visitor, next)).at(-1), 'Account created')
  assert.doesNotMatch((await visitor.ask(next)).text, /\?cursor=/)
  const { visitor: stranger } = await registered(app)
  assert.deepEqual(await titles(stranger), ['Account created'])
  assert.deepEqual(await titles(stranger, next), [])
  const odd = await stranger.ask('/account/activity?cursor=no+cursor')
  assert.equal(odd.headers['location'], '/account/activity')
})

test('a sign-in from a browser that was not seen before is mailed to the owner, once', async () => {
  const { visitor, email } = await verified(app)
  await visitor.submit('/logout')
  await visitor.submit('/login', { email, password })
  await signedIn(app, email)
  const mail = await app.mails.sent({ to: email, subject })
  assert.match(mail.text ?? '', /Safari on iPhone, 10\.0\./)
  const again = await signedIn(app, email)
  await again.submit('/password', { current: password, ...changed })
  await app.mails.sent({ to: email, subject: 'Your password was changed' })
  const mails = await app.mails.all({ to: email })
  assert.equal(mails.filter((sent) => sent.header('subject') === subject).length, 1)
})

test('a mail and a page name known browsers only, whatever a client calls itself', async () => {
  const { visitor: owner, email } = await verified(app)
  const strangers = ['evil.example/login', 'Firefox.evil.example', 'curl/8.5.0', '']
  for (const agent of strangers) {
    const visitor = new Visitor(app, { agent, tokenPage: '/login' })
    await visitor.submit('/login', { email, password })
  }
  const mails = await Promise.all(
    [1, 2, 3].map((nth) => app.mails.sent({ to: email, subject }, nth)),
  )
  for (const { text, html } of mails) {
    assert.match(text ?? '', /from a program, 10\./)
    assert.doesNotMatch(`${text} ${html}`, /evil|curl|Firefox/)
  }
  for (const page of ['/account', '/account/activity']) {
    const { text } = await owner.ask(page)
    assert.match(text, /A program</)
    assert.doesNotMatch(text, /evil\b|curl/)
  }
})
