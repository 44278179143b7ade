import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { demoAccount, startDemo } from '../support/demo-site.ts'
import { Visitor } from '../support/visitor.ts'
import { goodPassword, register, signIn } from './demo-steps.ts'

const browser = testBrowser()
const { skip } = browser
const site = await startDemo()
const { url } = site

/** The values of the fields with these labels. */
function values(page: Page, ...labels: readonly string[]): Promise<string[]> {
  return Promise.all(labels.map((label) => page.getByLabel(label, { exact: true }).inputValue()))
}

test(
  'a failed sign-in does not say which half was wrong, and keeps the e-mail',
  { skip },
  async (t) => {
    const visitor = await Visitor.arrive(t, browser, url, { peer: '127.0.0.20' })
    for (const email of [demoAccount.email, 'nobody@example.org']) {
      await signIn(visitor, { email, password: 'not this one' }, { remember: true })
      await visitor.sees('/login', 'Invalid credentials.')
      assert.deepEqual(await values(visitor.page, 'E-mail', 'Password'), [email, ''])
      assert.equal(await visitor.page.getByLabel('Keep me signed in').isChecked(), true)
    }
  },
)

test(
  'all errors of a form are shown at once, at its fields and above them',
  { skip },
  async (t) => {
    const visitor = await Visitor.arrive(t, browser, url, { peer: '127.0.0.21' })
    const { page } = visitor
    await visitor.open('/register')
    await visitor.fillIn({
      'E-mail': demoAccount.email,
      Password: 'password',
      'Password, once more': 'password',
    })
    await visitor.press('Create account')
    const summary = page.getByRole('group', { name: 'There is a problem' })
    await summary.waitFor()
    await summary.and(page.locator(':focus')).waitFor()
    assert.match(await page.title(), /^Error: /)
    const password = page.getByLabel('Password', { exact: true })
    assert.equal(await password.getAttribute('aria-invalid'), 'true')
    assert.equal(await password.inputValue(), '')
    await summary.getByRole('link').click()
    await password.and(page.locator(':focus')).waitFor()

    await visitor.fillIn({ Password: goodPassword, 'Password, once more': goodPassword })
    await visitor.press('Create account')
    await summary.getByText('This e-mail is already registered.').waitFor()
    assert.deepEqual(await values(page, 'E-mail', 'Password'), [demoAccount.email, ''])
  },
)

test('a visitor who tries too often is asked to wait, and nobody else is', { skip }, async (t) => {
  const peer = '127.0.0.22'
  const guesser = await Visitor.arrive(t, browser, url, { peer, refusals: [429] })
  for (let tries = 0; tries < 5; tries += 1) {
    await signIn(guesser, { email: demoAccount.email, password: `guess ${tries}` })
    await guesser.sees('/login', 'Invalid credentials.')
  }
  await signIn(guesser, demoAccount)
  await guesser.page.getByRole('heading', { name: 'Too many attempts' }).waitFor()
  assert.match(await guesser.page.locator('main').innerText(), /Wait a minute, then go back/)

  const owner = await Visitor.arrive(t, browser, url, { peer: '127.0.0.23' })
  await signIn(owner, demoAccount)
  await owner.sees('/account', 'Welcome back!')
})

test(
  'a form whose session has ended is shown again with its input, and then works',
  { skip },
  async (t) => {
    const visitor = await Visitor.arrive(t, browser, url, { peer: '127.0.0.24' })
    const email = 'late@example.org'
    await visitor.open('/register')
    await visitor.fillIn({
      'E-mail': email,
      Password: goodPassword,
      'Password, once more': goodPassword,
    })
    // Those of a guest are in the cookie.
    await visitor.context.clearCookies()
    await visitor.press('Create account')
    await visitor.sees('/register', 'This form has expired. Please send it again.')
    const labels = ['E-mail', 'Password', 'Password, once more']
    assert.deepEqual(await values(visitor.page, ...labels), [email, '', ''])
    await visitor.fillIn({ Password: goodPassword, 'Password, once more': goodPassword })
    await visitor.press('Create account')
    await visitor.sees('/account', 'Account created! Check your inbox for the verification link.')
  },
)

test(
  'a visitor whose session has ended signs in again and returns to the form',
  { skip },
  async (t) => {
    const visitor = await Visitor.arrive(t, browser, url, { peer: '127.0.0.25' })
    const account = { email: 'idle@example.org', password: goodPassword }
    await register(visitor, account)
    await visitor.open('/password')
    site.endSessions()
    const fresh = 'four brown owls'
    await visitor.fillIn({
      'Current password': account.password,
      'New password': fresh,
      'New password, once more': fresh,
    })
    await visitor.press('Change password')
    await visitor.page.waitForURL(`${url}/login`)
    await visitor.fillIn({ 'E-mail': account.email, Password: account.password })
    await visitor.press('Sign in')
    await visitor.sees('/password', 'Welcome back!')
  },
)

test('not-found and error pages are pages of the site', { skip }, async (t) => {
  const visitor = await Visitor.arrive(t, browser, url, {
    peer: '127.0.0.26',
    refusals: [404, 500],
  })
  await visitor.open('/nowhere')
  assert.equal(await visitor.heading.innerText(), 'There is no such page')
  await visitor.follow('Go to the home page')
  assert.equal(await visitor.heading.innerText(), 'Framework demo')
  await visitor.open('/error')
  assert.equal(await visitor.heading.innerText(), 'Something went wrong')
  const [request = ''] = /[\da-f-]{36}/.exec(await visitor.page.locator('main').innerText()) ?? []
  assert.notEqual(request, '', 'the id that the log has too')
  assert.match(await visitor.page.title(), /Framework demo$/)
})
