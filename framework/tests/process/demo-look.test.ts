import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { violations } from '../support/axe.ts'
import { testBrowser } from '../support/browser.ts'
import { demoAccount, startDemo } from '../support/demo-site.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { Visitor } from '../support/visitor.ts'
import type { VisitorOptions } from '../support/visitor.ts'
import { goodPassword, openMail, register, signIn } from './demo-steps.ts'

const browser = testBrowser()
const { skip } = browser
const { url } = await startDemo()
// axe checks the same views, debug page, metrics and mails in dark and wide too, with sample data:
// demo-pages, debug-page, metrics-dashboard-access and mail-preview.
const looks = [
  { colorScheme: 'light', viewport: { width: 320, height: 640 }, judged: true },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 }, judged: false },
] as const

/** A visitor whose pages axe can check: their content policy would block it. */
function arrive(t: TestContext, options: VisitorOptions = {}): Promise<Visitor> {
  return Visitor.arrive(t, browser, url, { bypassCSP: true, ...options })
}

/** Asserts that axe finds no violations, and that nothing is cut off, narrow or wide. */
async function assertFine({ page }: Visitor, name: string): Promise<void> {
  for (const { colorScheme, viewport, judged } of looks) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const look = `${name}-${colorScheme}-${viewport.width}`
    await keepScreenshot(page, look)
    if (judged) assert.deepEqual(await violations(page), [], look)
    const beside = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    assert.equal(await page.evaluate<number>(beside), 0, look)
  }
}

test('pages for guests look right', { skip }, async (t) => {
  const guest = await arrive(t, { peer: '127.0.0.40' })
  for (const [name, path] of [
    ['home', '/'],
    ['hello', '/hello/Ada'],
    ['items', '/items?page=2'],
    ['items-by-cursor', '/items?cursor=&limit=25'],
    ['items-none', '/items?q=nothing+like+this'],
    ['login', '/login'],
    ['register', '/register'],
    ['forgot', '/forgot'],
    ['mail-login', '/login/mail'],
    ['mail-link-elsewhere', `/login/mail/${'0'.repeat(16)}/${'0'.repeat(64)}`],
  ] as const) {
    await guest.open(path)
    await assertFine(guest, name)
  }
})

test(
  'small print in a list is shown; only what has a column where there is room is not',
  { skip },
  async (t) => {
    const guest = await arrive(t, { peer: '127.0.0.39' })
    await guest.open('/items?limit=1')
    await guest.page.evaluate("document.querySelector('td').innerHTML += '<small>own</small>'")
    const [own, narrow] = [guest.page.locator('td small'), guest.page.locator('th small')]
    await guest.page.setViewportSize({ width: 1280, height: 800 })
    assert.deepEqual([await own.isVisible(), await narrow.isVisible()], [true, false])
    await guest.page.setViewportSize({ width: 320, height: 640 })
    assert.equal(await narrow.isVisible(), true)
  },
)

test('forms with errors look right', { skip }, async (t) => {
  const guest = await arrive(t, { peer: '127.0.0.41' })
  await guest.open('/register')
  await guest.fillIn({ 'E-mail': 'ada@example', Password: 'short', 'Password, once more': 'other' })
  await guest.press('Create account')
  await guest.page.getByRole('group', { name: 'There is a problem' }).waitFor()
  await assertFine(guest, 'register-errors')
  await signIn(guest, { ...demoAccount, password: 'not this one' })
  await guest.sees('/login', 'Invalid credentials.')
  await assertFine(guest, 'login-refused')
  await guest.open('/forgot')
  await guest.fillIn({ 'E-mail': 'nobody@example.org' })
  await guest.press('Send the link')
  await guest.sees('/forgot', 'If that e-mail exists, we sent a password reset link.')
  await assertFine(guest, 'forgot-sent')
  await guest.open('/login/mail')
  await guest.fillIn({ 'E-mail': 'nobody@example.org' })
  await guest.press('Send the code')
  await guest.sees('/login/mail/code', 'If that e-mail has an account, we sent a code to it.')
  await assertFine(guest, 'mail-code')
  await guest.open(`/login/mail/${'0'.repeat(16)}/${'0'.repeat(64)}`)
  await assertFine(guest, 'mail-link')
})

test('pages of a signed-in visitor look right', { skip }, async (t) => {
  const member = await arrive(t, { peer: '127.0.0.42' })
  await signIn(member, demoAccount, { remember: true })
  await member.sees('/account', 'Welcome back!')
  const other = await arrive(t, { peer: '127.0.0.43' })
  await signIn(other, demoAccount)
  await other.sees('/account', 'Welcome back!')
  await member.open('/account')
  await assertFine(member, 'account')
  await member.open('/')
  await assertFine(member, 'home-member')
  await member.open('/password')
  await assertFine(member, 'password')
  await member.open('/account/activity')
  await assertFine(member, 'activity')
  await member.open('/account/tokens')
  await assertFine(member, 'confirm')
  await member.fillIn({ Password: demoAccount.password })
  await member.press('Confirm')
  await member.fillIn({ Name: 'Backup' })
  await member.page.getByLabel('Read where you are signed in').check()
  await member.press('Create token')
  await member.page.getByRole('heading', { name: 'Your token Backup' }).waitFor()
  await assertFine(member, 'tokens')
  await member.open('/account/two-factor')
  await member.press('Set up an app')
  await member.page.getByRole('img', { name: 'QR code' }).waitFor()
  await assertFine(member, 'two-factor')
})

test('mails and their pages look right', { skip }, async (t) => {
  const here = await arrive(t)
  const email = 'a.rather.long.name.for.an.address@a-rather-long-name-for-a-host.example.org'
  await register(here, { email, password: goodPassword })
  await assertFine(here, 'account-unverified')
  await openMail(here, email, 'Verify your e-mail')
  await assertFine(here, 'mail')
  await here.open('/mails')
  await assertFine(here, 'mails')

  await here.open('/forgot')
  assert.equal(here.path, '/account', 'whoever is signed in needs no such form')
  const guest = await arrive(t, { peer: '127.0.0.44' })
  await guest.open('/forgot')
  await guest.fillIn({ 'E-mail': email })
  await guest.press('Send the link')
  await guest.sees('/forgot', 'If that e-mail exists, we sent a password reset link.')
  await openMail(here, email, 'Reset your password')
  const button = here.page.frameLocator('iframe').getByRole('link').first()
  await guest.open(new URL((await button.getAttribute('href')) ?? '').pathname)
  await assertFine(guest, 'reset')
})

test('error pages look right', { skip }, async (t) => {
  const guest = await arrive(t, { peer: '127.0.0.45', refusals: [400, 404, 429, 500] })
  await guest.open('/nowhere')
  await assertFine(guest, '404')
  await guest.open('/error')
  await assertFine(guest, '500')
  await guest.open('/items?cursor=abc')
  await assertFine(guest, 'items-refused')
  for (let tries = 0; tries < 6; tries += 1) {
    await guest.open('/login')
    await guest.fillIn({ 'E-mail': 'nobody@example.org', Password: 'x' })
    await guest.press('Sign in')
    await guest.page.locator('.flash, .message').waitFor()
  }
  await assertFine(guest, '429')
})

test('developer pages look right', { skip }, async (t) => {
  const developer = await arrive(t, { refusals: [404, 500] })
  await developer.open('/itms')
  await assertFine(developer, '404-developer')
  await developer.open('/error')
  await assertFine(developer, 'error-developer')
  await developer.open('/metrics')
  await developer.page.getByText('Live').waitFor()
  await assertFine(developer, 'metrics')
})
