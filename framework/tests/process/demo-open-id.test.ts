import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { violations } from '../support/axe.ts'
import { testBrowser } from '../support/browser.ts'
import { demoAccount, startDemo } from '../support/demo-site.ts'
import { freePort } from '../support/free-port.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { TestIssuer } from '../support/test-issuer.ts'
import { Visitor } from '../support/visitor.ts'
import type { VisitorOptions } from '../support/visitor.ts'
import { waitFor } from '../support/wait-for.ts'
import { assertSignedIn, assertSignedOut, goodPassword, mailsTo, signIn } from './demo-steps.ts'

const browser = testBrowser()
const { skip } = browser
const port = await freePort()
// Another site than localhost, as issuers are.
const issuer = await TestIssuer.start({ site: `http://localhost:${port}`, host: '127.0.0.1' })
after(() => issuer.close())
const env = { ...issuer.env(), OIDC_COMPANY_LABEL: 'Company', LOG_FILE: '1' }
const { url, folder } = await startDemo({ port, env })

function arrive(t: TestContext, options: VisitorOptions = {}): Promise<Visitor> {
  return Visitor.arrive(t, browser, url, { others: [issuer.url], ...options })
}

/** Opens the sign-in page and chooses the issuer with the keyboard. */
async function choose({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).focus()
  await page.keyboard.press('Tab')
  assert.equal(await page.locator(':focus').innerText(), 'Sign in with Company')
  await page.keyboard.press('Enter')
}

test(
  'a button, the keyboard and no script are enough to get an account and come back',
  { skip },
  async (t) => {
    issuer.person = { sub: 'ada', email: 'ada@company.example', email_verified: true }
    const visitor = await arrive(t, { peer: '127.0.0.60', javaScriptEnabled: false })
    // The page that was asked for first is where it ends.
    await visitor.open('/password')
    assert.equal(visitor.path, '/login')
    await choose(visitor)
    await visitor.sees('/password', 'Welcome!')
    await assertSignedIn(visitor, 'ada@company.example')
    const cookies = await visitor.context.cookies(url)
    assert.deepEqual(
      cookies.map(({ name, sameSite, httpOnly }) => [name, sameSite, httpOnly]),
      [['session', 'Lax', true]],
    )
  },
)

test(
  'an account is connected behind a confirmation, and disconnected, and its owner gets mails',
  { skip },
  async (t) => {
    issuer.person = { sub: 'demo', email: 'demo@company.example', email_verified: true }
    const visitor = await arrive(t, { peer: '127.0.0.61', bypassCSP: true })
    const { page } = visitor
    await visitor.open('/login')
    await assertFine(visitor, 'login-sites')
    await signIn(visitor, demoAccount)
    await visitor.sees('/account', 'Welcome back!')
    await visitor.follow('Connected accounts')
    await page.waitForURL(`${url}/confirm`)
    await visitor.fillIn({ Password: demoAccount.password })
    await visitor.press('Confirm')
    await page.waitForURL(`${url}/account/sign-ins`)
    await assertFine(visitor, 'sign-ins')
    await visitor.press('Connect Company')
    await visitor.sees('/account/sign-ins', 'Connected. You can now sign in with Company.')
    await assertFine(visitor, 'sign-ins-connected')
    const subject = 'Your account was connected with another site'
    const reader = await arrive(t)
    await mailsTo(reader, { to: demoAccount.email, subject })

    const elsewhere = await arrive(t, { peer: '127.0.0.62' })
    await elsewhere.open('/login')
    await elsewhere.press('Sign in with Company')
    await elsewhere.sees('/account', 'Welcome!')
    await assertSignedIn(elsewhere, demoAccount.email)

    await visitor.open('/account/sign-ins')
    await visitor.press('Disconnect Company')
    const gone = 'Company is disconnected. Other devices were signed out.'
    await visitor.sees('/account/sign-ins', gone)
    await assertSignedOut(elsewhere)
    const removed = 'Your account was disconnected from another site'
    await mailsTo(reader, { to: demoAccount.email, subject: removed })
  },
)

test(
  'whoever has no password confirms after choosing one by mail, and keeps the last way in until then',
  { skip },
  async (t) => {
    issuer.person = { sub: 'bea', email: 'bea@company.example', email_verified: true }
    const visitor = await arrive(t, { peer: '127.0.0.63' })
    await visitor.open('/login')
    await visitor.press('Sign in with Company')
    await visitor.sees('/account', 'Welcome!')
    await visitor.follow('Connected accounts')
    await visitor.page.waitForURL(`${url}/confirm`)
    await visitor.press('Send me the link')
    await visitor.sees('/account', 'If that e-mail exists, we sent a password reset link.')
    const reader = await arrive(t)
    const rows = await mailsTo(reader, {
      to: 'bea@company.example',
      subject: 'Reset your password',
    })
    await rows.first().getByRole('link').click()
    const button = reader.page.frameLocator('iframe').getByRole('link', { name: 'new password' })
    await visitor.page.goto((await button.first().getAttribute('href')) ?? '')
    await visitor.fillIn({ 'New password': goodPassword, 'New password, once more': goodPassword })
    await visitor.page.keyboard.press('Enter')
    await visitor.sees('/login', 'Password reset! Sign in with your new password.')
  },
)

test(
  'an address that was registered and never verified is not entered, and says what to do',
  { skip },
  async (t) => {
    const attacker = await arrive(t, { peer: '127.0.0.64' })
    await attacker.open('/register')
    const fields = { Password: goodPassword, 'Password, once more': goodPassword }
    await attacker.fillIn({ 'E-mail': 'victim@company.example', ...fields })
    await attacker.press('Create account')
    issuer.person = { sub: 'victim', email: 'victim@company.example', email_verified: true }
    const victim = await arrive(t, { peer: '127.0.0.65' })
    await victim.open('/login')
    await victim.press('Sign in with Company')
    await victim.message.waitFor()
    assert.equal(victim.path, '/login')
    assert.match(await victim.message.innerText(), /was never verified.*Forgot your password/)
    await assertSignedOut(victim)
  },
)

test(
  'an issuer that is down is a message on the sign-in page, and the log has no secret',
  { skip },
  async (t) => {
    issuer.person = { sub: 'late', email: 'late@company.example', email_verified: true }
    issuer.isDown = (path) => path === '/token'
    const visitor = await arrive(t, { peer: '127.0.0.66' })
    await visitor.open('/login')
    await visitor.press('Sign in with Company')
    const message =
      'Company does not respond right now. Try again in a minute, or sign in another way.'
    await visitor.sees('/login', message)
    const read = (): string => readFileSync(join(folder, 'storage', 'logs', 'security.log'), 'utf8')
    await waitFor('the line in the log', () => /"reason":"unavailable-\w+"/.test(read()))
    const everything = readdirSync(join(folder, 'storage', 'logs'))
      .map((name) => readFileSync(join(folder, 'storage', 'logs', name), 'utf8'))
      .join('')
    for (const secret of [issuer.clientSecret, ...issuer.codes, 'victim@company.example']) {
      assert.ok(!everything.includes(secret), secret)
    }
    assert.ok(issuer.codes.length > 3)
  },
)

/** Asserts that axe finds no violations and that nothing is cut off, narrow or wide, light or dark. */
async function assertFine({ page }: Visitor, name: string): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 320],
    ['dark', 1280],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await keepScreenshot(page, `${name}-${colorScheme}-${width}`)
    assert.deepEqual(await violations(page), [], name)
    const beside = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    assert.equal(await page.evaluate<number>(beside), 0, name)
  }
}
