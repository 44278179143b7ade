import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { demoAccount, startDemo } from '../support/demo-site.ts'
import { totpCode } from '../../src/accounts/factors/factor-testing.ts'
import { Visitor } from '../support/visitor.ts'
import { assertSignedIn, assertSignedOut, goodPassword, register, signIn } from './demo-steps.ts'

const browser = testBrowser()
const { skip } = browser
const { url, verify } = await startDemo()
const phones = [
  { width: 390, height: 700 },
  { width: 320, height: 700 },
] as const

/** The focused element: its accessible name or id, and whether it is visible. */
async function focused(page: Page): Promise<{ name: string; marked: boolean }> {
  return page.evaluate(`(() => {
    const node = document.activeElement
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(node)
    const marked = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
    const label = node.labels?.[0]?.innerText ?? node.innerText
    return { name: (label || node.id).trim().replace(/\\s+/g, ' '), marked }
  })()`)
}

/**
 * Presses Tab until the element with this name has the focus, unless it has it already; everything on the
 * way must be visible.
 */
async function tabTo(page: Page, name: string): Promise<void> {
  if ((await focused(page)).name === name) return
  const passed: string[] = []
  for (let steps = 0; steps < 40; steps += 1) {
    await page.keyboard.press('Tab')
    const found = await focused(page)
    assert.ok(found.marked, `"${found.name}" has the focus, and it is not seen`)
    if (found.name === name) return
    passed.push(found.name)
  }
  assert.fail(`no "${name}" among ${passed.join(', ')}`)
}

/** Moves to the field with this name and types. */
async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.type(text)
}

test('the keyboard alone is enough to register, sign out and sign in', { skip }, async (t) => {
  const visitor = await Visitor.arrive(t, browser, url, { peer: '127.0.0.30' })
  const { page } = visitor
  const email = 'keys@example.org'
  await visitor.open('/')
  await tabTo(page, 'Create account')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/register`)
  await typeInto(page, 'E-mail', email)
  await typeInto(page, 'Password', goodPassword)
  await typeInto(page, 'Password, once more', goodPassword)
  await page.keyboard.press('Enter')
  await visitor.sees('/account', 'Account created! Check your inbox for the verification link.')

  await tabTo(page, 'Sign out')
  await page.keyboard.press('Enter')
  await visitor.sees('/login', 'Signed out.')
  await typeInto(page, 'E-mail', email)
  await typeInto(page, 'Password', 'a mistake')
  await tabTo(page, 'Keep me signed in')
  await page.keyboard.press('Space')
  await tabTo(page, 'Sign in')
  await page.keyboard.press('Space')
  await visitor.sees('/login', 'Invalid credentials.')
  await typeInto(page, 'Password', goodPassword)
  await page.keyboard.press('Enter')
  await visitor.sees('/account', 'Welcome back!')
  assert.equal((await visitor.lastingCookies()).length, 1, 'the box was still ticked')
})

test(
  'two-factor and tokens need neither a mouse nor scripts nor a wide screen',
  { skip },
  async (t) => {
    const visitor = await Visitor.arrive(t, browser, url, {
      peer: '127.0.0.33',
      javaScriptEnabled: false,
      viewport: phones[1],
    })
    const { page } = visitor
    const account = { email: 'steps@example.org', password: goodPassword }
    await register(visitor, account)
    verify(account.email)
    const press = async (name: string): Promise<void> => {
      await tabTo(page, name)
      await page.keyboard.press('Enter')
    }
    const send = async (name: string, text: string): Promise<void> => {
      await typeInto(page, name, text)
      await page.keyboard.press('Enter')
    }
    await visitor.open('/account/two-factor')
    await send('Password', account.password)
    await page.waitForURL(`${url}/account/two-factor`)
    await press('Set up an app')
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await press('I cannot scan it')
    const key = await page.locator('code.secret').innerText()
    await send('Code', totpCode(key))
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    const code = await page.locator('.codes code').first().innerText()
    await press('I have kept them')
    await page.getByText('10 recovery codes are left.').waitFor()

    await visitor.open('/account/tokens')
    await typeInto(page, 'Name', 'Backup')
    await tabTo(page, 'Read where you are signed in places:read')
    await page.keyboard.press('Space')
    await press('Create token')
    await page.getByRole('heading', { name: 'Your token Backup' }).waitFor()
    await press('Revoke Backup')
    await visitor.sees('/account/tokens', 'Token revoked.')

    await press('Sign out')
    await visitor.sees('/login', 'Signed out.')
    await signIn(visitor, account)
    await page.waitForURL(`${url}/login/factor`)
    await send('Code', code)
    await visitor.sees('/account', 'Welcome back!')
    await assertSignedIn(visitor, account.email)
  },
)

test('everything works without scripts', { skip }, async (t) => {
  const visitor = await Visitor.arrive(t, browser, url, {
    peer: '127.0.0.31',
    javaScriptEnabled: false,
  })
  // An address that browsers must accept as typed.
  const account = { email: "o'brien@bücher.example", password: goodPassword }
  await register(visitor, account)
  await visitor.follow('Change password')
  const fresh = { ...account, password: 'three tall ships' }
  await visitor.fillIn({
    'Current password': account.password,
    'New password': fresh.password,
    'New password, once more': fresh.password,
  })
  await visitor.press('Change password')
  await visitor.sees('/account', 'Password changed. Other devices were signed out.')
  await visitor.page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await visitor.sees('/login', 'Signed out.')
  await signIn(visitor, fresh, { remember: true })
  await visitor.sees('/account', 'Welcome back!')
  await visitor.follow('Items')
  await visitor.page.getByLabel('Name').fill('lamp')
  await visitor.press('Show')
  await visitor.page.waitForURL(/\?q=lamp&/)
  await assertSignedIn(visitor, account.email)
})

test('on phones of 320 and 390 pixels everything fits and can be tapped', { skip }, async (t) => {
  const visitor = await Visitor.arrive(t, browser, url, {
    peer: '127.0.0.32',
    viewport: phones[0],
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  })
  const { page } = visitor
  const paths = ['/', '/login', '/register', '/forgot', '/items', '/items?cursor=']
  const header = page.getByRole('banner')
  for (const path of paths) {
    await visitor.open(path)
    await assertFits(page, async () => {
      for (const name of ['Sign in', 'Create account']) {
        assert.ok(await header.getByRole('link', { name }).isVisible(), `${name} on ${path}`)
      }
    })
  }
  await visitor.open('/login')
  await visitor.fillIn({ 'E-mail': demoAccount.email, Password: demoAccount.password })
  await page.getByLabel('Keep me signed in').tap()
  await page.locator('main').getByRole('button', { name: 'Sign in', exact: true }).tap()
  await visitor.sees('/account', 'Welcome back!')
  await assertFits(page)
  await page.getByRole('link', { name: 'Change password' }).tap()
  await page.waitForURL(`${url}/password`)
  await assertFits(page)
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().tap()
  await visitor.sees('/login', 'Signed out.')
  await assertSignedOut(visitor)
})

/** Makes these assertions on each phone, besides those on its boxes. */
async function assertFits(page: Page, others: () => Promise<void> = async () => {}): Promise<void> {
  for (const phone of phones) {
    await page.setViewportSize(phone)
    await assertBoxesFit(page)
    await others()
  }
}

/**
 * Asserts that nothing is off screen, and that tap targets are large enough: 24 pixels,
 * as WCAG 2.5.8 requires, except for links inside text. A card is one target, whatever the
 * size of the link in its heading.
 */
async function assertBoxesFit(page: Page): Promise<void> {
  const { wide, small } = await page.evaluate<{ wide: number; small: string[] }>(`(() => {
    const root = document.documentElement
    const small = [...document.querySelectorAll('a, button, input, select')]
      .filter((node) => !node.matches('p a, .cards h3 a, .skip, [type=hidden]'))
      .map((node) => node.closest('label') ?? node)
      .filter((node) => {
        const { width, height } = node.getBoundingClientRect()
        return width > 0 && Math.min(width, height) < 24
      })
    return { wide: root.scrollWidth - root.clientWidth, small: small.map((node) => node.outerHTML) }
  })()`)
  assert.deepEqual({ wide, small }, { wide: 0, small: [] }, page.url())
}
