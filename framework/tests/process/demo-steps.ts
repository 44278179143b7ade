import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Visitor } from '../support/visitor.ts'

/** A password that passes every rule. */
export const goodPassword = 'quiet copper lamp'

/** The credentials of an account. */
export interface Credentials {
  readonly email: string
  readonly password: string
}

/** Registers an account, which also signs in. */
export async function register(visitor: Visitor, { email, password }: Credentials): Promise<void> {
  await visitor.open('/register')
  await visitor.fillIn({ 'E-mail': email, Password: password, 'Password, once more': password })
  await visitor.press('Create account')
  await visitor.sees('/account', 'Account created! Check your inbox for the verification link.')
}

/** Sends the sign-in form. */
export async function signIn(
  visitor: Visitor,
  { email, password }: Credentials,
  { remember = false }: { readonly remember?: boolean } = {},
): Promise<void> {
  await visitor.open('/login')
  await visitor.fillIn({ 'E-mail': email, Password: password })
  if (remember) await visitor.page.getByLabel('Keep me signed in').check()
  await visitor.press('Sign in')
}

/**
 * Waits in the preview for this many mails with this subject, newest first. Mails are sent after the
 * response.
 */
export async function mailsTo(
  visitor: Visitor,
  { to, subject, least = 1 }: { to: string; subject: string; least?: number },
): Promise<Locator> {
  const rows = visitor.page.getByRole('row').filter({ hasText: to }).filter({ hasText: subject })
  for (let tries = 0; tries < 100; tries += 1) {
    await visitor.open('/mails')
    if ((await rows.count()) >= least) return rows
    await visitor.page.waitForTimeout(100)
  }
  throw new Error(`"${subject}" came ${await rows.count()} times to ${to}, not ${least} times`)
}

/** Opens the newest mail with this subject to an address in the preview. */
export async function openMail(visitor: Visitor, to: string, subject: string): Promise<void> {
  const { page } = visitor
  const rows = await mailsTo(visitor, { to, subject })
  await rows.first().getByRole('link').click()
  await page.frameLocator('iframe').getByRole('heading', { name: subject }).waitFor()
}

/** Presses the button in the open mail; its page opens in a new tab. */
export async function followMail({ page, context }: Visitor, button: string): Promise<Page> {
  const opened = context.waitForEvent('page')
  await page.frameLocator('iframe').getByRole('link', { name: button, exact: true }).click()
  const tab = await opened
  await tab.waitForLoadState()
  return tab
}

/** Asserts that the account page asks the visitor to sign in. */
export async function assertSignedOut(visitor: Visitor): Promise<void> {
  await visitor.open('/account')
  assert.equal(visitor.path, '/login')
}

/** Asserts that a visitor sees the account of this address. */
export async function assertSignedIn(visitor: Visitor, email: string): Promise<void> {
  await visitor.open('/account')
  assert.equal(visitor.path, '/account')
  assert.equal(await visitor.page.locator('.person .email').innerText(), email)
}
