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
const letter = '%PDF-1.7 Frau Muster braucht eine Brille'

test('patients register with their name, and book a slot', async () => {
  const visitor = app.visitor()
  const form = { email: 'ada@example.com', password: 'quiet copper lamp', role: 'staff' }
  const sent = { ...form, password_confirmation: form.password }
  assert.deepEqual((await visitor.submit('/register', sent)).errors, {
    name: 'Bitte geben Sie Ihren Namen ein.',
  })
  await visitor.submit('/register', { ...sent, name: ' Ada ' })
  const user = await app.services.accounts.users.fetch(form.email)
  assert.deepEqual([user?.name, user?.role], ['Ada', 'patient'])
  const { message, page } = await visitor.submit('/bookings', slot)
  assert.equal(message, 'Bis zum 2026-11-05 um 09:30 Uhr!')
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
  const taken =
    'Der Termin am 2026-11-05 um 09:30 Uhr wurde gerade vergeben. Bitte wählen Sie eine andere Zeit.'
  assert.deepEqual(messages, ['Bis zum 2026-11-05 um 09:30 Uhr!', taken, taken])
  assert.equal(await app.services.bookings.count(), 1)
})

test('a letter that is no PDF is refused at its field, and the slot is still chosen', async () => {
  const visitor = app.visitor()
  await visitor.submit('/login', member)
  await visitor.open('/bookings')
  const page = new File(['<script>alert(1)</script>'], 'brief.pdf', { type: 'application/pdf' })
  const { errors, page: shown } = await visitor.fill({ ...slot, letter: page })
  assert.deepEqual(Object.keys(errors), ['letter'])
  assert.match(shown, /value="2026-11-05"/)
  assert.equal(await app.services.bookings.count(), 0)
  assert.deepEqual((await app.services.files.list('letters/2026-11-05/')).objects, [])
})

test('staff add a second factor before they see the list of a day, and patients never see it', async () => {
  const patient = app.visitor()
  const { to } = await patient.submit('/login', member)
  assert.equal(to, '/bookings')
  await patient.open('/bookings')
  await patient.fill({ ...slot, letter: new File([letter], 'brief.pdf') })
  assert.equal((await patient.ask('/day?day=2026-11-05')).status, 403)
  const [stored] = (await app.services.files.list('letters/2026-11-05/')).objects
  assert.equal((await patient.ask(`/${stored?.key.slice(0, -'.pdf'.length)}`)).status, 403)

  const desk = app.visitor()
  await desk.open('/day?day=2026-11-05')
  await desk.fill({ 'E-Mail': staff.email, Passwort: staff.password }, { press: 'Anmelden' })
  // From the list to the page that adds an app, which asks for the password again.
  await desk.fill({ Passwort: staff.password })
  const { page } = await desk.press('App einrichten')
  const [, secret = ''] = /<code class="secret">([A-Z2-7 ]+)</.exec(page) ?? []
  await desk.fill({ Code: totpCode(secret) })
  const list = await desk.click('Ich habe sie gesichert')
  assert.match(
    list.page,
    /<h1>Termine am 2026-11-05<\/h1>[^]+>09:30<[^]+>Max<[^]+>member@example\.com</,
  )
  const [, link = ''] = /<a href="(\/letters\/[^"]+)">Überweisung</.exec(list.page) ?? []
  const { headers, text, status } = await desk.ask(link)
  assert.deepEqual([status, text, headers['content-type']], [200, letter, 'application/pdf'])
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-disposition']), /^attachment; .*%C3%9Cberweisung/)
})
