import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Visitor } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { confirmed, newEmail, password, registered, signedIn, verified } from './people.ts'

/** A browser that nobody has seen before, as far as its owner can tell. */
function browser(nth: number): string {
  return `${String.fromCharCode(97 + (nth % 26), 97 + Math.floor(nth / 26))} (X11; Linux) Firefox/140.0`
}

test('whoever registers the address of a stranger cannot have us mail it more than a few times', async () => {
  const app = await serveDemo()
  const email = newEmail()
  const other = await registered(app)
  await confirmed(other.visitor)
  let words = password
  for (let nth = 0; nth < 12; nth += 1) {
    const visitor = new Visitor(app, {
      address: `2001:db8:7:${nth.toString(16)}::1`,
      agent: browser(nth),
      tokenPage: '/login',
    })
    await visitor.submit('/register', { email, password, password_confirmation: password })
    await visitor.submit('/login', { email, password: words, remember: '1' })
    await visitor.submit('/verify')
    const fresh = `quiet copper lamp ${nth}`
    const change = { current: words, password: fresh, password_confirmation: fresh }
    if ((await visitor.submit('/password', change)).to === '/account') words = fresh
    const copied = new Map(visitor.cookies)
    await visitor.submit('/forgot', { email })
    await visitor.submit('/confirm/password', { password: words })
    await visitor.submit('/account/delete')
    await visitor.submit('/account/delete/cancel')
    await visitor.submit('/logout')
    await visitor.submit('/forgot', { email: email.toUpperCase() })
    await visitor.submit('/login/mail', { email })
    // A device that was signed out and comes back counts as stolen.
    for (const [name, value] of copied) visitor.cookies.set(name, value)
    await visitor.ask('/account')
    await other.visitor.submit('/account/email', { email })
  }
  await app.close()
  const mails = await app.mails.all({ to: email })
  const subjects = mails.map((mail) => mail.header('subject') ?? '')
  const counts = Object.groupBy(subjects, (subject) => subject)
  assert.ok(
    mails.length <= 15,
    JSON.stringify(Object.entries(counts).map(([s, l]) => [s, l?.length])),
  )
  const asked = new Set([
    'Verify your e-mail',
    'Reset your password',
    'Your sign-in code',
    'Your e-mail address was entered',
  ])
  assert.deepEqual(
    subjects.filter((subject) => !asked.has(subject)),
    [],
  )
  assert.ok((counts['Verify your e-mail']?.length ?? 0) <= 5)
  assert.ok(subjects.length > 0, 'the first ones are sent')
})

test('an owner hears of everything: what is over the limit comes in one mail a little later', async () => {
  const app = await serveDemo()
  const { visitor: owner, email } = await verified(app)
  await signedIn(app, email)
  const places: string[] = []
  for (let nth = 0; nth < 60; nth += 1) {
    const visitor = app.visitor({ agent: browser(nth) })
    await visitor.submit('/login', { email, password })
    places.push(visitor.address)
  }
  const fresh = 'seven green bottles'
  const change = { current: password, password: fresh, password_confirmation: fresh }
  await owner.submit('/password', change)
  // A kind of its own, so the sign-ins do not hold it back.
  await app.mails.sent({ to: email, subject: 'Your password was changed' })
  const { gathered } = app.services.accounts.mails
  assert.equal(await gathered.sweep(), 0, 'not before its time')
  app.travel(301)
  const sent = await Promise.all([gathered.sweep(), gathered.sweep()])
  assert.deepEqual([Math.min(...sent), Math.max(...sent)], [0, 1], 'one of two sends it')
  await app.close()
  const mails = await app.mails.all({ to: email })
  const subjects = mails.map((mail) => mail.header('subject') ?? '')
  assert.equal(subjects.filter((subject) => subject === 'New sign-in to your account').length, 3)
  const [told, ...more] = mails.filter((mail) =>
    /57 more things/.test(mail.header('subject') ?? ''),
  )
  assert.ok(told)
  assert.deepEqual([more.length, mails.length], [0, 5])
  const texts = mails.map(({ text }) => text ?? '').join('\n')
  for (const place of places) assert.ok(texts.includes(`Firefox on Linux, ${place}`), place)
  for (const body of [told.text ?? '', told.html ?? '']) {
    assert.equal(body.match(/New sign-in to your account/g)?.length, 57)
    assert.match(body, /https:\/\/demo\.example\/forgot/)
  }
})
