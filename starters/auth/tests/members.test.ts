import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linkIn } from 'framework/testing'
import { member } from '../seeds/accounts.ts'
import { serve } from './serve.ts'

const app = await serve()
after(() => app.close())

test('everybody sees the home page', async () => {
  const { status, text } = await app.inject({ url: '/' })
  assert.equal(status, 200)
  assert.match(text, /Create an account/)
})

test('guests are sent to sign in, and back to the page for members', async () => {
  const visitor = app.visitor()
  assert.equal((await visitor.ask('/members')).headers['location'], '/login')
  const { to } = await visitor.submit('/login', member)
  assert.equal(to, '/members')
  assert.match((await visitor.ask('/members')).text, /<h1>For members<\/h1>/)
})

test('whoever registers gets a link that verifies the address', async () => {
  const visitor = app.visitor()
  const [email, password] = ['ada@example.com', 'quiet copper lamp']
  await visitor.submit('/register', { email, password, password_confirmation: password })
  const mail = await app.mails.sent({ to: email, subject: 'Verify your e-mail' })
  const { message } = await visitor.open(linkIn(mail))
  assert.equal(message, 'E-mail verified!')
})
