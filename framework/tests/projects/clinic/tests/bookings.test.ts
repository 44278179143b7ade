import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { keepRows, totpCode } from 'framework/testing'
import { member, staff } from '../seeds/accounts.ts'
import { serve } from './serve.ts'

const app = await serve()
after(() => app.close())
const rows = await keepRows(app.services.database)
beforeEach(() => rows.restore())

const slot = { day: '2026-11-05', time: '09:30' }

test('patients register with their name, and book a slot', async () => {
  const visitor = app.visitor()
  const form = { email: 'ada@example.com', password: 'quiet copper lamp', role: 'staff' }
  const sent = { ...form, password_confirmation: form.password }
  assert.deepEqual((await visitor.submit('/register', sent)).errors, {
    name: 'Please enter your name.',
  })
  await visitor.submit('/register', { ...sent, name: ' Ada ' })
  const user = await app.services.accounts.users.fetch(form.email)
  assert.deepEqual([user?.name, user?.role], ['Ada', 'patient'])
  const { message, page } = await visitor.submit('/bookings', slot)
  assert.equal(message, 'See you on 2026-11-05 at 09:30.')
  assert.match(page, /2026-11-05, 09:30</)
})

test('a slot that somebody has is refused, also if it was free when the page was shown', async () => {
  const { users } = app.services.accounts
  const people = await Promise.all(
    ['ada', 'bob', 'cyd'].map(async (name) => {
      const id = await users.enroll(`${name}@example.com`, 'quiet copper lamp', {
        fields: { name },
      })
      return app.actingAs({ id: id ?? assert.fail() })
    }),
  )
  const outcomes = await Promise.all(people.map((visitor) => visitor.submit('/bookings', slot)))
  const messages = outcomes.map(({ message }) => message).toSorted()
  const taken = '09:30 on 2026-11-05 has just been taken. Please choose another time.'
  assert.deepEqual(messages, [taken, taken, 'See you on 2026-11-05 at 09:30.'])
  assert.equal(await app.services.bookings.count(), 1)
})

test('staff add a second factor before they see the list of a day, and patients never see it', async () => {
  const patient = app.visitor()
  const { to } = await patient.submit('/login', member)
  assert.equal(to, '/bookings')
  await patient.submit('/bookings', slot)
  assert.equal((await patient.ask('/day?day=2026-11-05')).status, 403)

  const desk = app.visitor()
  await desk.open('/day?day=2026-11-05')
  await desk.fill({ 'E-mail': staff.email, Password: staff.password }, { press: 'Sign in' })
  // From the list to the page that adds an app, which asks for the password again.
  await desk.fill({ Password: staff.password })
  const { page } = await desk.press('Set up an app')
  const [, secret = ''] = /<code class="secret">([A-Z2-7 ]+)</.exec(page) ?? []
  await desk.fill({ Code: totpCode(secret) })
  const list = await desk.click('I have kept them')
  assert.match(
    list.page,
    /<h1>Bookings of 2026-11-05<\/h1>[^]+>09:30<[^]+>Max<[^]+>member@example\.com</,
  )
})
