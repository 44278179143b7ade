import assert from 'node:assert/strict'
import { MatrixVisitor } from './demo-matrix-visitor.ts'

/** Waits for the n-th mail with a subject and returns its text. */
export type AwaitMail = (subject: string, time?: number) => Promise<string>

const email = 'ada@example.org'
const chosen = (password: string): Readonly<Record<string, string>> => ({
  password,
  password_confirmation: password,
})

/** The whole life of an account, on any set-up. */
export async function liveWholeLife(site: string, mail: AwaitMail): Promise<void> {
  const link = async (subject: string): Promise<string> => {
    const [found = ''] = /\S+\/(?:verify|reset)\/\S+/.exec(await mail(subject)) ?? []
    assert.ok(found.startsWith(`${site}/`), `"${found}" is not on ${site}`)
    return found
  }
  const login = (visitor: MatrixVisitor, password: string): Promise<string> =>
    visitor.submit('/login', { email, password, remember: 'on' })

  // Register, and verify the e-mail.
  const laptop = new MatrixVisitor(site)
  const first = 'correct horse battery'
  assert.equal(await laptop.submit('/register', { email, ...chosen(first) }), '303 /account')
  assert.match((await laptop.get('/account')).text, /Not verified/)
  const verification = await link('Verify your e-mail')
  assert.equal((await laptop.get(verification)).outcome, '303 /account')
  const account = (await laptop.get('/account')).text
  assert.match(account, /E-mail verified!/)
  assert.doesNotMatch(account, /Not verified/)

  // Sign out and in, close the browser, and come back.
  assert.equal(await laptop.submit('/account', {}, '/logout'), '303 /login')
  assert.equal((await laptop.get('/account')).outcome, '303 /login')
  assert.equal(await login(laptop, first), '303 /account')
  const device = laptop.cookies.get('remember')
  laptop.reopen()
  assert.equal((await laptop.get('/account')).outcome, '200')
  assert.notEqual(laptop.cookies.get('remember'), device)

  // Forget the password: a link sets a new one, and ends all old sessions.
  const phone = new MatrixVisitor(site)
  const second = 'a brighter idea altogether'
  assert.equal(await phone.submit('/forgot', { email }), '303 /forgot')
  const recovery = await link('Reset your password')
  assert.equal(await phone.submit(recovery, chosen(second)), '303 /login')
  assert.equal((await phone.get(recovery)).outcome, '303 /forgot', 'a link works once')
  assert.equal((await laptop.get('/account')).outcome, '303 /login')
  await mail('Your password was changed')
  assert.equal(await login(laptop, first), '303 /login')
  assert.match((await laptop.get('/login')).text, /Invalid credentials\./)

  // Change it on one device: the other one is signed out.
  assert.equal(await login(laptop, second), '303 /account')
  assert.equal(await login(phone, second), '303 /account')
  const third = { current: second, ...chosen('third time lucky') }
  assert.equal(await laptop.submit('/password', third), '303 /account')
  assert.equal((await laptop.get('/account')).outcome, '200')
  assert.equal((await phone.get('/account')).outcome, '303 /login')
  await mail('Your password was changed', 2)

  // The sixth sign-in within a minute is refused, whichever worker it reaches.
  assert.equal(await login(phone, 'third time lucky'), '303 /account')
  assert.equal(await login(new MatrixVisitor(site), 'third time lucky'), '429')
}
