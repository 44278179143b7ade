import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Locator } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { startDelayProxy } from '../support/delay-proxy.ts'
import { startDemo } from '../support/demo-site.ts'
import { Visitor } from '../support/visitor.ts'
import { waitFor } from '../support/wait-for.ts'
import { MatrixVisitor } from './demo-matrix-visitor.ts'
import { assertSignedIn, assertSignedOut, goodPassword, register, signIn } from './demo-steps.ts'
import type { Credentials } from './demo-steps.ts'

const browser = testBrowser()
const { skip } = browser
const site = await startDemo({ workers: 2 })
// The response to the first click is delayed for so long that the second click is a double click.
const proxy = await startDelayProxy(Number(new URL(site.url).port), 0)
after(() => proxy.close())
const url = `http://127.0.0.1:${proxy.port}`
const farMs = 120
const rounds = Number(process.env['DOUBLE_CLICK_ROUNDS'] ?? 1)
const maxRounds = 12
let people = 0

/** The address of the latest person in a network, which no rate limit has counted. */
function freshPeer(network: number): string {
  return `127.${network}.${people >> 8}.${people & 255}`
}

/** A visitor with a fresh rate limit, in a browser with or without scripts. */
async function newcomer(t: TestContext, javaScriptEnabled: boolean): Promise<Clicker> {
  people += 1
  const peer = freshPeer(1)
  const visitor = await Visitor.arrive(t, browser, url, { peer, javaScriptEnabled })
  const account = { email: `person${people}@example.org`, password: goodPassword }
  return new Clicker(visitor, account)
}

/** A visitor who double-clicks, and the results. */
class Clicker {
  readonly visitor: Visitor
  readonly account: Credentials
  /** Forms that left the browser. */
  sent = 0

  constructor(visitor: Visitor, account: Credentials) {
    this.visitor = visitor
    this.account = account
    visitor.context.on('request', (request) => {
      // The sign-in page also asks for the options of passkeys.
      if (request.method() === 'POST' && request.isNavigationRequest()) this.sent += 1
    })
  }

  /** Clicks twice, as quickly as a person. */
  async doubleClick(button: Locator, round: number): Promise<void> {
    this.sent = 0
    // The button moves until the styles are loaded.
    await this.visitor.page.waitForLoadState()
    await button.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await button.boundingBox()) ?? assert.fail('no button')
    const { mouse } = this.visitor.page
    const place = [x + width / 2, y + height / 2] as const
    // The second click hits a different moment of the first response in each round.
    const pauseMs = (round * 37) % 113
    proxy.delay(farMs)
    if (pauseMs === 0) return mouse.dblclick(...place)
    await mouse.click(...place)
    await sleep(pauseMs)
    await mouse.click(...place)
  }

  /** Asserts where the double click has led, and the message there. */
  async arrives(path: string, message: string): Promise<void> {
    await this.visitor.sees(path, message)
    proxy.delay(0)
  }

  button(name: string): Locator {
    return this.visitor.page.locator('main').getByRole('button', { name, exact: true })
  }

  /** The number of accounts, sessions and devices in the database. */
  rows(): readonly [accounts: number, sessions: number, devices: number] {
    const { email } = this.account
    const own = `(SELECT id FROM users WHERE email = ?)`
    return [
      site.count(`SELECT count(*) FROM users WHERE email = ?`, email),
      site.count(`SELECT count(*) FROM sessions WHERE identity = CAST(${own} AS TEXT)`, email),
      site.count(`SELECT count(*) FROM trusts WHERE user_id = ${own}`, email),
    ]
  }
}

/** Repeats something a few times and returns how many forms were sent each time. */
async function inRounds(
  javaScriptEnabled: boolean,
  work: (round: number) => Promise<number>,
): Promise<void> {
  const sent: number[] = []
  // Without a second form nothing was tested; on a busy machine the browser is often too late for one.
  const isTested = (): boolean => javaScriptEnabled || sent.includes(2)
  for (let round = 0; round < rounds || (!isTested() && round < maxRounds); round += 1) {
    sent.push(await work(round))
  }
  if (!javaScriptEnabled) assert.ok(Math.max(...sent) === 2, `sent ${sent.join()} forms`)
  else assert.deepEqual(new Set(sent), new Set([1]))
}

for (const scripts of [true, false]) {
  const how = scripts ? 'with scripts' : 'without scripts'

  test(`a double click on "Create account" creates one account, ${how}`, { skip }, (t) =>
    inRounds(scripts, async (round) => {
      const clicker = await newcomer(t, scripts)
      const { visitor, account } = clicker
      await visitor.open('/register')
      const { email, password } = account
      await visitor.fillIn({ 'E-mail': email, Password: password, 'Password, once more': password })
      await clicker.doubleClick(clicker.button('Create account'), round)
      const message = 'Account created! Check your inbox for the verification link.'
      await clicker.arrives('/account', message)
      await assertSignedIn(visitor, email)
      assert.deepEqual(clicker.rows(), [1, 1, 0])
      return clicker.sent
    }),
  )

  test(`a double click on "Sign in" creates one session and one device, ${how}`, { skip }, (t) =>
    inRounds(scripts, async (round) => {
      const clicker = await newcomer(t, scripts)
      const { visitor, account } = clicker
      await enroll(clicker)
      await visitor.open('/login')
      await visitor.fillIn({ 'E-mail': account.email, Password: account.password })
      await visitor.page.getByLabel('Keep me signed in').check()
      await clicker.doubleClick(clicker.button('Sign in'), round)
      await clicker.arrives('/account', 'Welcome back!')
      await assertSignedIn(visitor, account.email)
      assert.deepEqual(clicker.rows(), [1, 1, 1])
      assert.equal((await visitor.lastingCookies()).length, 1)
      return clicker.sent
    }),
  )

  test(`a double click on "Change password" keeps the visitor signed in, ${how}`, { skip }, (t) =>
    inRounds(scripts, async (round) => {
      const clicker = await newcomer(t, scripts)
      const { visitor, account } = clicker
      await register(visitor, account)
      await visitor.open('/password')
      const password = 'nine green rivers'
      await visitor.fillIn({
        'Current password': account.password,
        'New password': password,
        'New password, once more': password,
      })
      await clicker.doubleClick(clicker.button('Change password'), round)
      await clicker.arrives('/account', 'Password changed. Other devices were signed out.')
      await assertSignedIn(visitor, account.email)
      assert.deepEqual(clicker.rows(), [1, 1, 0])
      return clicker.sent
    }),
  )

  test(`a double click on "Sign out" signs out without an expired form, ${how}`, { skip }, (t) =>
    inRounds(scripts, async (round) => {
      const clicker = await newcomer(t, scripts)
      const { visitor, account } = clicker
      await enroll(clicker)
      await signIn(visitor, account, { remember: true })
      await visitor.sees('/account', 'Welcome back!')
      // The next page has nothing to click in the same place.
      const own = visitor.page.locator('.row.current').first()
      const button = own.getByRole('button', { name: /^Sign out/ })
      await clicker.doubleClick(button, round)
      await clicker.arrives('/login', 'Signed out.')
      assert.equal(await visitor.page.getByText('expired').count(), 0)
      await assertSignedOut(visitor)
      assert.deepEqual(clicker.rows(), [1, 0, 0])
      return clicker.sent
    }),
  )
}

/** Registers the account and signs out, without the browser. */
async function enroll({ account: { email, password } }: Clicker): Promise<void> {
  const elsewhere = new MatrixVisitor(site.url, { 'x-forwarded-for': freshPeer(2) })
  const fields = { email, password, password_confirmation: password }
  assert.equal(await elsewhere.submit('/register', fields), '303 /account')
  assert.equal(await elsewhere.submit('/account', {}, '/logout'), '303 /login')
}

test(
  'a form shows that it is being sent, and can be sent again after coming back',
  { skip },
  async (t) => {
    const clicker = await newcomer(t, true)
    const { visitor } = clicker
    await visitor.open('/login')
    await visitor.fillIn({ 'E-mail': 'nobody@example.org', Password: 'not this one' })
    const button = clicker.button('Sign in')
    const states = (): Promise<readonly (string | null)[]> =>
      Promise.all(['aria-busy', 'aria-disabled'].map((name) => button.getAttribute(name)))
    // Stops the browser during loading, as Escape does.
    await visitor.page.route('**/login', (route) => route.abort('aborted'))
    await clicker.doubleClick(button, 1)
    await waitFor('the form', () => clicker.sent === 1)
    assert.deepEqual(await states(), ['true', 'true'])
    assert.equal(await button.innerText(), 'Sign in')
    await button.press('Enter')
    assert.equal(clicker.sent, 1)

    proxy.delay(0)
    await visitor.page.unroute('**/login')
    await visitor.page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow'))`)
    assert.deepEqual(await states(), [null, null])
    await button.click()
    await visitor.sees('/login', 'Invalid credentials.')
  },
)
