import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { linkIn, valueOn } from 'framework/testing'
import type { Visitor } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { isSignedIn, newEmail, password, registered } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const twice = { password, password_confirmation: password }

test('GET /register shows the form to guests and redirects others to their account', async () => {
  assert.equal((await app.visitor().ask('/register')).status, 200)
  const { visitor } = await registered(app)
  const { status, headers } = await visitor.ask('/register')
  assert.deepEqual([status, headers['location']], [303, '/account'])
})

test('a new account is signed in, in a session with a new id', async () => {
  const visitor = app.visitor()
  await visitor.ask('/register')
  const before = visitor.cookies.get('session')
  const email = newEmail()
  const { status, to, message, page } = await visitor.submit('/register', { email, ...twice })
  assert.deepEqual([status, to], [303, '/account'])
  assert.equal(message, 'Account created! Check your inbox for the verification link.')
  assert.ok(page.includes(email) && page.includes('Not verified'))
  assert.notEqual(visitor.cookies.get('session'), before)
})

test('the verification mail says what it is for, and links to this site', async () => {
  const { email } = await registered(app)
  const mail = await app.mails.sent({ to: email, subject: 'Verify your e-mail' })
  // The title of the site, which a project names itself.
  assert.match(mail.header('from') ?? '', /^\w[^<]* <no-reply@localhost>$/)
  for (const body of [mail.text ?? '', mail.html ?? '']) {
    assert.match(body, new RegExp(`${site}/verify/[0-9a-f]{16}/[0-9a-f]{64}`))
    assert.match(body, /works once, for (?:<strong>)?24 hours/)
    assert.match(body, /ignore this message/)
  }
  assert.match(linkIn(mail), /^\/verify\//)
})

test('an e-mail has one account, whatever its case and surrounding spaces', async () => {
  const { email } = await registered(app)
  const written = ` ${email.toUpperCase()} `
  const visitor = app.visitor()
  const { status, to, errors, page } = await visitor.submit('/register', {
    email: written,
    ...twice,
  })
  assert.deepEqual([status, to], [303, '/register'])
  assert.deepEqual(errors, { email: 'This e-mail is already registered.' })
  assert.equal(valueOn(page, 'email'), written)
  assert.equal(await isSignedIn(visitor), false)
})

test("unusual but valid addresses are accepted: o'brien, my--host.com", async () => {
  const run = randomUUID()
  for (const email of [`o'brien.${run}@example.com`, `ada.${run}@my--host.com`]) {
    const { to, page } = await registering(email)
    assert.equal(to, '/account')
    assert.ok(page.includes(email.replace("'", '&#39;')), email)
    assert.match(
      linkIn(await app.mails.sent({ to: email, subject: 'Verify your e-mail' })),
      /^\/verify\//,
    )
  }
})

test('an internationalised domain and its ASCII form are one account, and mail arrives', async () => {
  const name = `ada.${randomUUID()}`
  const ascii = `${name}@xn--bcher-kva.example`
  const { to, page } = await registering(`${name}@bücher.example`)
  assert.equal(to, '/account')
  assert.ok(page.includes(`${name}@bücher.example`) && !page.includes('xn--'))
  await app.mails.sent({ to: ascii, subject: 'Verify your e-mail' })
  const { errors } = await registering(ascii)
  assert.deepEqual(errors, { email: 'This e-mail is already registered.' })
  for (const email of [ascii, `${name}@BÜCHER.example`]) {
    assert.equal((await app.visitor().submit('/login', { email, password })).to, '/account')
  }
})

function registering(email: string): ReturnType<Visitor['submit']> {
  return app.visitor().submit('/register', { email, ...twice })
}

test('concurrent registrations with one e-mail create one account', async () => {
  const email = newEmail()
  const visitors = Array.from({ length: 4 }, () => app.visitor())
  const outcomes = await Promise.all(
    visitors.map((visitor) => visitor.submit('/register', { email, ...twice })),
  )
  const leads = outcomes.map(({ to = '' }) => to).toSorted()
  assert.deepEqual(leads, ['/account', '/register', '/register', '/register'])
  for (const { to, errors } of outcomes) {
    const expected = to === '/account' ? {} : { email: 'This e-mail is already registered.' }
    assert.deepEqual(errors, expected)
  }
})

for (const [what, fields, errors] of [
  ['nothing', {}, { email: 'Please enter your e-mail.', password: 'Use at least 8 characters.' }],
  ['no address', { email: 'ada', ...twice }, { email: 'This is not an e-mail address.' }],
  [
    'an address that is too long',
    { email: `${'a'.repeat(250)}@example.com`, ...twice },
    { email: 'This e-mail is too long.' },
  ],
  [
    'a short password',
    { email: 'ada@example.com', password: '7 signs', password_confirmation: '7 signs' },
    { password: 'Use at least 8 characters.' },
  ],
  [
    'a common password',
    { email: 'ada@example.com', password: 'password1', password_confirmation: 'password1' },
    { password: 'This password is too common. Choose another one.' },
  ],
  [
    'the e-mail for a password',
    {
      email: 'ada@example.com',
      password: 'Ada@example.com',
      password_confirmation: 'Ada@example.com',
    },
    { password: 'Your e-mail address cannot be your password.' },
  ],
  [
    'two different passwords',
    { email: 'ada@example.com', password, password_confirmation: 'quiet copper lamb' },
    { password: 'The passwords do not match.' },
  ],
] as const) {
  test(`a form with ${what} is shown again with its errors, without passwords`, async () => {
    const outcome = await app.visitor().submit('/register', fields)
    assert.deepEqual([outcome.status, outcome.to], [303, '/register'])
    assert.deepEqual(outcome.errors, errors)
    const { email = null } = { email: undefined, ...fields }
    assert.equal(valueOn(outcome.page, 'email'), email)
    assert.equal(valueOn(outcome.page, 'password'), null)
    assert.equal(valueOn(outcome.page, 'password_confirmation'), null)
  })
}

test('a JSON client registers with JSON and gets JSON', async () => {
  const visitor = app.visitor()
  const email = newEmail()
  const wrong = await visitor.send('/register', { email, password: 'short' })
  assert.equal(wrong.status, 422)
  assert.deepEqual(wrong.json(), { errors: { password: ['Use at least 8 characters.'] } })
  const right = await visitor.send('/register', { email, ...twice })
  assert.equal(right.status, 200)
  assert.deepEqual(right.json(), { redirect: '/account' })
  assert.equal(await isSignedIn(visitor), true)
  const taken = await app.visitor().send('/register', { email, ...twice })
  assert.equal(taken.status, 422)
  assert.deepEqual(taken.json(), { errors: { email: ['This e-mail is already registered.'] } })
})
