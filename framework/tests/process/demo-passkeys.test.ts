import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { totpCode } from '../../src/accounts/factors/factor-testing.ts'
import { testBrowser } from '../support/browser.ts'
import { startDemo } from '../support/demo-site.ts'
import { freePort } from '../support/free-port.ts'
import { VirtualAuthenticator } from '../support/virtual-authenticator.ts'
import { Visitor } from '../support/visitor.ts'
import type { VisitorOptions } from '../support/visitor.ts'
import { assertSignedIn, assertSignedOut, goodPassword } from './demo-steps.ts'
import { mailsTo, register, signIn } from './demo-steps.ts'

const browser = testBrowser()
const { skip } = browser
// At the address that it prints, on a port of its own.
const { url, verify } = await startDemo()
const refused = 'This passkey was not accepted. Try again, or sign in with your password.'
let people = 0

/** A visitor with a new account. Passkeys are not offered in fields, unless the test is about that. */
async function arrived(
  t: TestContext,
  options: VisitorOptions & { autofill?: boolean; site?: string } = {},
) {
  people += 1
  const { autofill = false, site = url, ...others } = options
  const peer = `127.0.1.${people}`
  const visitor = await Visitor.arrive(t, browser, site, { peer, ...others })
  if (!autofill) {
    await visitor.context.addInitScript(
      `if (globalThis.PublicKeyCredential) {
        PublicKeyCredential.isConditionalMediationAvailable = async () => false
      }`,
    )
  }
  const account = { email: `passkey${people}@example.org`, password: goodPassword }
  await register(visitor, account)
  verify(account.email)
  return { visitor, page: visitor.page, account }
}

/** Opens a page that asks for the password first. */
async function openConfirmed(visitor: Visitor, path: string): Promise<void> {
  await visitor.open(path)
  if (visitor.path !== '/confirm') return
  await visitor.fillIn({ Password: goodPassword })
  await visitor.press('Confirm')
  await visitor.page.waitForURL(url + path)
}

async function addPasskey(visitor: Visitor): Promise<void> {
  await openConfirmed(visitor, '/account/passkeys')
  await visitor.press('Add a passkey')
  await visitor.sees('/account/passkeys', 'Passkey added.')
}

async function signOut(visitor: Visitor): Promise<void> {
  await visitor.page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await visitor.sees('/login', 'Signed out.')
}

async function enter(visitor: Visitor): Promise<void> {
  await visitor.open('/login')
  await visitor.press('Sign in with a passkey')
}

/** What the script says at its form. */
async function says(page: Page, text: string): Promise<void> {
  await page.locator('form.passkey [role="status"]').filter({ hasText: text }).waitFor()
}

/** Changes the options on their way to the page, as a page of an attacker would. */
function changing(change: (options: Record<string, unknown>) => object) {
  return async (route: Route): Promise<void> => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  }
}

/** The browser gives up after seconds rather than minutes. */
const hurried = changing((options) => ({ ...options, timeout: 3000 }))
/** The page does not ask for the user to be verified. */
const lax = changing((options) => ({ ...options, userVerification: 'discouraged' }))

test(
  'a passkey is added, signs in, confirms, is a second step and is removed',
  { skip },
  async (t) => {
    const { visitor, page, account } = await arrived(t)
    await VirtualAuthenticator.plugIn(page)
    await addPasskey(visitor)
    const row = page.locator('.row')
    assert.match(await row.innerText(), /Chrome on Linux[\s\S]*Never used/)
    // The device has one already.
    await visitor.press('Add a passkey')
    await says(page, 'This device already has a passkey for your account.')
    await signOut(visitor)

    await enter(visitor)
    await visitor.sees('/account', 'Welcome back!')
    await assertSignedIn(visitor, account.email)
    assert.equal((await visitor.lastingCookies()).length, 0)

    await visitor.open('/account/two-factor')
    await visitor.press('Confirm with a passkey')
    await page.waitForURL(`${url}/account/two-factor`)
    await visitor.press('Set up an app')
    await page.getByText('I cannot scan it').click()
    const secret = await page.locator('code.secret').innerText()
    await visitor.fillIn({ Code: totpCode(secret) })
    await visitor.press('Turn it on')
    await visitor.heading.filter({ hasText: /recovery codes/i }).waitFor()
    await signOut(visitor)

    await signIn(visitor, account)
    await page.waitForURL(`${url}/login/factor`)
    await visitor.press('Use a passkey')
    await visitor.sees('/account', 'Welcome back!')
    await signOut(visitor)
    // It has verified its user: that is two factors already.
    await visitor.open('/login')
    await page.getByLabel('Keep me signed in').check()
    await visitor.press('Sign in with a passkey')
    await visitor.sees('/account', 'Welcome back!')
    assert.equal((await visitor.lastingCookies()).length, 1)

    await visitor.open('/account/passkeys')
    await visitor.press('Confirm with a passkey')
    await page.waitForURL(`${url}/account/passkeys`)
    assert.match(await row.innerText(), /Last used just now/)
    await row.getByRole('button', { name: 'Remove' }).click()
    await visitor.sees('/account/passkeys', 'Passkey removed. Other devices were signed out.')
    await page.getByText('You have no passkeys.').waitFor()
    await signOut(visitor)
    await enter(visitor)
    await visitor.sees('/login', refused)
    await assertSignedOut(visitor)
  },
)

test('at an address in numbers the pages say where passkeys work', { skip }, async (t) => {
  const { visitor, page } = await arrived(t, { site: url.replace('localhost', '127.0.0.1') })
  await VirtualAuthenticator.plugIn(page)
  await visitor.open('/account/passkeys')
  await visitor.fillIn({ Password: goodPassword })
  await visitor.press('Confirm')
  await visitor.press('Add a passkey')
  await says(page, `Passkeys of this site work at ${url} only. Open this page there.`)
})

test(
  'the browser offers passkeys in the field for the e-mail, without a click',
  { skip },
  async (t) => {
    const { visitor, page, account } = await arrived(t, { autofill: true })
    await VirtualAuthenticator.plugIn(page)
    await addPasskey(visitor)
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await visitor.sees('/account', 'Welcome back!')
    await assertSignedIn(visitor, account.email)
  },
)

test('a key that cannot verify its user is for the second step only', { skip }, async (t) => {
  const { visitor, page, account } = await arrived(t)
  await VirtualAuthenticator.plugIn(page, { verifies: false, resident: false })
  await addPasskey(visitor)
  await page.locator('.row').getByText('Second step only').waitFor()
  await openConfirmed(visitor, '/account/two-factor')
  await visitor.press('Set up an app')
  await page.getByText('I cannot scan it').click()
  await visitor.fillIn({ Code: totpCode(await page.locator('code.secret').innerText()) })
  await visitor.press('Turn it on')
  await visitor.heading.filter({ hasText: /recovery codes/i }).waitFor()
  await signOut(visitor)
  await signIn(visitor, account)
  await page.waitForURL(`${url}/login/factor`)
  await visitor.press('Use a passkey')
  await visitor.sees('/account', 'Welcome back!')
  await visitor.open('/logout/others')
  await page.route('**/confirm/passkey/options', hurried)
  // The browser refuses what the page asks for, and the server what a changed page asks for.
  await visitor.press('Confirm with a passkey')
  await says(page, 'No passkey was used.')
  await page.route('**/confirm/passkey/options', lax)
  await visitor.press('Confirm with a passkey')
  await page.getByText('This passkey is not correct.').first().waitFor()
})

test('signing in needs a verified user, asked for and checked', { skip }, async (t) => {
  const { visitor, page } = await arrived(t)
  const authenticator = await VirtualAuthenticator.plugIn(page)
  await addPasskey(visitor)
  await signOut(visitor)
  await authenticator.setVerified(false)
  await page.route('**/login/passkey/options', hurried)
  await enter(visitor)
  await says(page, 'No passkey was used.')
  await page.route('**/login/passkey/options', lax)
  await visitor.press('Sign in with a passkey')
  await visitor.sees('/login', refused)
  await page.unroute('**/login/passkey/options')
  await authenticator.setVerified(true)
  await enter(visitor)
  await visitor.sees('/account', 'Welcome back!')
})

test('a passkey whose counter falls is refused, and its owner told', { skip }, async (t) => {
  const { visitor, page, account } = await arrived(t)
  const authenticator = await VirtualAuthenticator.plugIn(page)
  await addPasskey(visitor)
  await signOut(visitor)
  await enter(visitor)
  await visitor.sees('/account', 'Welcome back!')
  const counter = await authenticator.counter()
  assert.ok(counter > 1)
  await signOut(visitor)
  await authenticator.setCounter(counter - 1)
  await enter(visitor)
  await visitor.sees('/login', refused)
  await authenticator.setCounter(counter)
  await enter(visitor)
  await visitor.sees('/account', 'Welcome back!')
  await visitor.open('/account/activity')
  await page.getByText('Passkey refused that may be a copy').waitFor()
  const reader = await Visitor.arrive(t, browser, url)
  await mailsTo(reader, { to: account.email, subject: 'We refused one of your passkeys' })
})

test('another origin, another challenge and a replay are refused', { skip }, async (t) => {
  const foreign = await otherSite()
  const { visitor, page } = await arrived(t, { others: [foreign] })
  await VirtualAuthenticator.plugIn(page)
  await addPasskey(visitor)
  await signOut(visitor)

  const random = changing((options) => ({
    ...options,
    challenge: randomBytes(54).toString('base64url'),
  }))
  await page.route('**/login/passkey/options', random)
  await enter(visitor)
  await visitor.sees('/login', refused)
  await page.unroute('**/login/passkey/options', random)

  // A page at another port of the same host: browsers let it use the passkey, with its own origin.
  let options: unknown = null
  await page.route('**/login/passkey/options', async (route) => {
    const response = await route.fetch()
    options = await response.json()
    await route.abort()
  })
  await enter(visitor)
  await says(page, 'We could not reach the site.')
  await page.unroute('**/login/passkey/options')
  assert.notEqual(options, null)
  await page.goto(foreign)
  const stolen: string = await page.evaluate(`(async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)})
    return JSON.stringify((await navigator.credentials.get({ publicKey })).toJSON())
  })()`)
  const client = Buffer.from(JSON.parse(stolen).response.clientDataJSON, 'base64url').toString()
  assert.equal(JSON.parse(client).origin, foreign)
  await visitor.open('/login')
  await page.evaluate(`(() => {
    const form = document.querySelector('form.passkey')
    form.elements.credential.value = ${JSON.stringify(stolen)}
    form.submit()
  })()`)
  await visitor.sees('/login', refused)

  // What signs in once is sent again, with the cookies from before.
  await visitor.open('/login')
  const cookies = await visitor.context.cookies()
  const sent = page.waitForRequest(
    (request) => new URL(request.url()).pathname === '/login/passkey',
  )
  await visitor.press('Sign in with a passkey')
  const body = new URLSearchParams((await sent).postData() ?? '')
  await visitor.sees('/account', 'Welcome back!')
  const thief = await browser.context({ extraHTTPHeaders: { 'X-Forwarded-For': '127.0.2.1' } })
  t.after(() => thief.close())
  await thief.addCookies(cookies)
  // Not as a form, whose repetition within seconds gets the first response again.
  const replayed = await thief.request.post(`${url}/login/passkey`, {
    headers: { accept: 'application/json', origin: url, 'x-csrf-token': body.get('_token') ?? '' },
    data: { credential: body.get('credential') },
  })
  assert.equal(replayed.status(), 401)
  const opened = await thief.request.get(`${url}/account`, { maxRedirects: 0 })
  assert.equal(opened.headers()['location'], '/login')
})

/** A page of another site on the same host. */
async function otherSite(): Promise<string> {
  const port = await freePort()
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>Win a prize</title><link rel="icon" href="data:,">')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://localhost:${port}`
}

test('older browsers, which read and write no JSON for passkeys, work too', { skip }, async (t) => {
  const { visitor, page, account } = await arrived(t)
  await visitor.context.addInitScript(`
    if (globalThis.PublicKeyCredential) {
      delete PublicKeyCredential.parseCreationOptionsFromJSON
      delete PublicKeyCredential.parseRequestOptionsFromJSON
      delete PublicKeyCredential.prototype.toJSON
    }
  `)
  await VirtualAuthenticator.plugIn(page)
  await addPasskey(visitor)
  await visitor.press('Add a passkey')
  await says(page, 'This device already has a passkey for your account.')
  await signOut(visitor)
  await enter(visitor)
  await visitor.sees('/account', 'Welcome back!')
  await assertSignedIn(visitor, account.email)
})

test(
  'without scripts or without passkeys the pages say so, and the password works',
  { skip },
  async (t) => {
    const { visitor, page, account } = await arrived(t, { javaScriptEnabled: false })
    await openConfirmed(visitor, '/account/passkeys')
    // Searching by text passes over these elements.
    const hint = page.locator('noscript p')
    await hint.waitFor()
    assert.equal(await hint.textContent(), 'To add a passkey, turn on JavaScript.')
    assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
    await signOut(visitor)
    await hint.waitFor()
    assert.equal(await hint.textContent(), 'To use a passkey, turn on JavaScript.')
    await signIn(visitor, account)
    await visitor.sees('/account', 'Welcome back!')

    const old = await Visitor.arrive(t, browser, url, { peer: '127.0.2.2' })
    await old.context.addInitScript('delete globalThis.PublicKeyCredential')
    await old.open('/login')
    await says(old.page, 'This browser does not support passkeys.')
    assert.equal(await old.page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0)
  },
)
