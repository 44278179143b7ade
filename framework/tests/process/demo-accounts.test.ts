import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { demoAccount, startDemo } from '../support/demo-site.ts'
import { Visitor } from '../support/visitor.ts'
import {
  assertSignedIn,
  assertSignedOut,
  followMail,
  goodPassword,
  mailsTo,
  openMail,
  register,
  signIn,
} from './demo-steps.ts'

const browser = testBrowser()
const { skip } = browser
const { url } = await startDemo()
const welcome = 'Welcome back!'

test(
  'a newcomer registers and verifies the e-mail with the link in the mail',
  { skip },
  async (t) => {
    const ada = await Visitor.arrive(t, browser, url)
    const email = 'ada@example.org'
    await ada.open('/')
    await ada.follow('Create account')
    assert.equal(await ada.heading.innerText(), 'Create account')
    await register(ada, { email, password: goodPassword })
    await ada.page.getByText('Not verified').waitFor()

    await ada.follow('Mails')
    await openMail(ada, email, 'Verify your e-mail')
    const tab = await followMail(ada, 'Verify e-mail')
    assert.equal(tab.url(), `${url}/account`)
    assert.equal(await tab.getByRole('status').first().innerText(), 'E-mail verified!')
    await assertSignedIn(ada, email)
    await ada.page.getByText('Verified', { exact: true }).waitFor()
    assert.equal(await ada.page.getByRole('button', { name: 'Send the link again' }).count(), 0)

    await ada.page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await ada.sees('/login', 'Signed out.')
    await assertSignedOut(ada)
  },
)

test('a resent link replaces the first one', { skip }, async (t) => {
  const grace = await Visitor.arrive(t, browser, url)
  const email = 'grace@example.org'
  await register(grace, { email, password: goodPassword })
  await openMail(grace, email, 'Verify your e-mail')
  const first = grace.page.frameLocator('iframe').getByRole('link').first()
  const superseded = new URL((await first.getAttribute('href')) ?? '').pathname
  await grace.open('/account')
  await grace.press('Send the link again')
  await grace.sees('/account', 'Verification link sent. Check your inbox.')
  await mailsTo(grace, { to: email, subject: 'Verify your e-mail', least: 2 })
  await grace.open(superseded)
  await grace.sees('/account', 'This verification link is invalid or has expired.')
  await openMail(grace, email, 'Verify your e-mail')
  await followMail(grace, 'Verify e-mail')
  await assertSignedIn(grace, email)
  await grace.page.getByText('Verified', { exact: true }).waitFor()
})

test('a guest gets to the requested page after signing in', { skip }, async (t) => {
  const guest = await Visitor.arrive(t, browser, url, { peer: '127.0.0.10' })
  await guest.open('/password?from=home')
  assert.equal(guest.path, '/login')
  await guest.fillIn({ 'E-mail': demoAccount.email, Password: demoAccount.password })
  await guest.press('Sign in')
  await guest.sees('/password', welcome)
  assert.equal(new URL(guest.page.url()).search, '?from=home')
})

test(
  'a closed browser is still signed in afterwards only if it is remembered',
  { skip },
  async (t) => {
    for (const remember of [true, false]) {
      const peer = '127.0.0.11'
      const visitor = await Visitor.arrive(t, browser, url, { peer })
      await signIn(visitor, demoAccount, { remember })
      await visitor.sees('/account', welcome)
      const cookies = await visitor.lastingCookies()
      assert.deepEqual(
        cookies.map(({ name, httpOnly, secure, sameSite }) => [name, httpOnly, secure, sameSite]),
        remember ? [['remember', true, true, 'Lax']] : [],
      )
      await visitor.context.close()

      const returned = await Visitor.arrive(t, browser, url, { peer })
      await returned.context.addCookies(cookies)
      if (!remember) {
        await assertSignedOut(returned)
        continue
      }
      await assertSignedIn(returned, demoAccount.email)
      assert.equal(await returned.page.locator('.row.current').getByText('Remembered').count(), 1)
      const [renewed] = await returned.lastingCookies()
      assert.notEqual(renewed?.value, cookies[0]?.value, 'the token works once')
      await returned.open('/')
      await returned.page.getByText('Signed in as').waitFor()
    }
  },
)

test('a forgotten password is reset with the link in the mail', { skip }, async (t) => {
  const email = 'mary@example.org'
  const mary = await Visitor.arrive(t, browser, url)
  await register(mary, { email, password: goodPassword })
  const elsewhere = await Visitor.arrive(t, browser, url, { peer: '127.0.0.12' })
  await elsewhere.open('/login')
  await elsewhere.follow('Forgot your password?')
  assert.equal(await elsewhere.heading.innerText(), 'Forgot your password?')
  const uniform = 'If that e-mail exists, we sent a password reset link.'
  for (const address of ['nobody@example.org', email]) {
    await elsewhere.open('/forgot')
    await elsewhere.fillIn({ 'E-mail': address })
    await elsewhere.press('Send the link')
    await elsewhere.sees('/forgot', uniform)
  }

  await openMail(mary, email, 'Reset your password')
  assert.equal(await mary.page.getByText('nobody@example.org').count(), 0)
  const tab = await followMail(mary, 'Choose a new password')
  const link = new URL(tab.url()).pathname
  await tab.close()
  await elsewhere.open(link)
  const password = 'seven small boats'
  await elsewhere.fillIn({ 'New password': password, 'New password, once more': 'seven boats' })
  await elsewhere.press('Save the new password')
  const summary = elsewhere.page.getByRole('group', { name: 'There is a problem' })
  await summary.waitFor()
  assert.equal(elsewhere.path, link, 'a mistake leaves the link as good as it was')
  await elsewhere.fillIn({ 'New password': password, 'New password, once more': password })
  await elsewhere.press('Save the new password')
  await elsewhere.sees('/login', 'Password reset! Sign in with your new password.')

  await assertSignedOut(mary)
  await signIn(elsewhere, { email, password: goodPassword })
  await elsewhere.sees('/login', 'Invalid credentials.')
  await signIn(elsewhere, { email, password })
  await elsewhere.sees('/account', welcome)
  await elsewhere.page.getByText('Verified', { exact: true }).waitFor()
  await elsewhere.open(link)
  await elsewhere.sees('/account', 'This reset link is invalid or has expired.')
  await mary.open(link)
  await mary.sees('/forgot', 'This reset link is invalid or has expired.')
  await openMail(mary, email, 'Your password was changed')
})

test('a changed password signs out every other browser, but not this one', { skip }, async (t) => {
  const account = { email: 'katherine@example.org', password: goodPassword }
  const here = await Visitor.arrive(t, browser, url, { peer: '127.0.0.17' })
  await register(here, account)
  const peer = '127.0.0.13'
  const other = await Visitor.arrive(t, browser, url, { peer })
  await signIn(other, account, { remember: true })
  await other.sees('/account', welcome)

  await here.open('/account')
  await here.follow('Change password')
  const changed = { ...account, password: 'nine green rivers' }
  const twice = {
    'New password': changed.password,
    'New password, once more': changed.password,
  }
  await here.fillIn({ 'Current password': 'not this one', ...twice })
  await here.press('Change password')
  const mistakes = here.page.getByRole('group', { name: 'There is a problem' })
  assert.match(await mistakes.innerText(), /Current password is incorrect\./)
  await here.fillIn({ 'Current password': account.password, ...twice })
  await here.press('Change password')
  await here.sees('/account', 'Password changed. Other devices were signed out.')
  assert.equal(await here.page.locator('.row').count(), 1, 'the session of this browser is left')

  await assertSignedOut(other)
  await signIn(other, account)
  await other.sees('/login', 'Invalid credentials.')
  await signIn(other, changed)
  await other.sees('/account', welcome)
  await assertSignedIn(here, account.email)
})

test('the buttons end devices and sessions at once', { skip }, async (t) => {
  const account = { email: 'hedy@example.org', password: goodPassword }
  const laptop = await Visitor.arrive(t, browser, url, { peer: '127.0.0.18' })
  await register(laptop, account)
  const phone = await Visitor.arrive(t, browser, url, {
    peer: '127.0.0.14',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  })
  await signIn(phone, account, { remember: true })
  await phone.sees('/account', welcome)
  const office = await Visitor.arrive(t, browser, url, {
    peer: '127.0.0.15',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  })
  await signIn(office, account)
  await office.sees('/account', welcome)

  await laptop.open('/account')
  const places = laptop.page.getByRole('region', { name: 'Where you are signed in' })
  const names = places.locator('.row-name')
  const shown = (await names.allInnerTexts()).map((name) => name.replaceAll('\n', ' '))
  assert.equal(shown[0], 'Chrome on Linux This browser')
  // Of the same second, in any order.
  assert.deepEqual(shown.slice(1).toSorted(), ['Firefox on Windows', 'Safari on iPhone Remembered'])
  await places.getByRole('button', { name: 'Revoke Safari on iPhone' }).click()
  await laptop.sees('/account', 'Device signed out.')
  assert.equal(await names.count(), 2)
  await assertSignedOut(phone)
  await assertSignedIn(office, account.email)

  await places.getByRole('button', { name: 'Revoke Firefox on Windows' }).click()
  await laptop.sees('/account', 'Session ended.')
  await assertSignedOut(office)
  await assertSignedIn(laptop, account.email)

  for (const other of [phone, office]) {
    await signIn(other, account, { remember: true })
    await other.sees('/account', welcome)
  }
  await laptop.open('/account')
  await laptop.follow('Sign out everywhere else')
  await laptop.fillIn({ Password: account.password })
  await laptop.press('Confirm')
  await laptop.press('Sign out everywhere else')
  await laptop.sees('/account', 'Signed out everywhere else.')
  assert.equal(await names.count(), 1)
  for (const other of [phone, office]) await assertSignedOut(other)
})

test(
  '"Sign out" next to this browser signs out permanently, remembered or not',
  { skip },
  async (t) => {
    const visitor = await Visitor.arrive(t, browser, url, { peer: '127.0.0.16' })
    await signIn(visitor, demoAccount, { remember: true })
    await visitor.sees('/account', welcome)
    const own = visitor.page.locator('.row.current')
    await own.getByRole('button', { name: /^Sign out Chrome/ }).click()
    await visitor.sees('/login', 'Signed out.')
    assert.deepEqual(await visitor.lastingCookies(), [])
    await assertSignedOut(visitor)
  },
)
