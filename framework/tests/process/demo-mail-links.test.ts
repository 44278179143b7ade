import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { runCommand } from '../support/command.ts'
import { startDemo } from '../support/demo-site.ts'
import { scanLink } from '../support/mail-scanner.ts'
import { Visitor } from '../support/visitor.ts'
import { goodPassword, openMail, register } from './demo-steps.ts'

const browser = testBrowser()
const { skip } = browser
const site = await startDemo()
const { url, folder } = site
const database = new DatabaseSync(join(folder, 'storage', 'database.sqlite'), { timeout: 120_000 })
after(() => database.close())
const person = { password: goodPassword }

/** The path of the link in the newest mail with this subject. */
async function linkIn(reader: Visitor, to: string, subject: string): Promise<string> {
  await openMail(reader, to, subject)
  const button = reader.page.frameLocator('iframe').getByRole('link').first()
  return new URL((await button.getAttribute('href')) ?? '').pathname
}

/** Scans a link in a browser of its own and in that of its owner, as a webmail page there would. */
async function scanned(t: TestContext, owner: Visitor, path: string): Promise<void> {
  const scanner = await Visitor.arrive(t, browser, url, { peer: '127.0.0.71' })
  for (const { context } of [scanner, owner]) {
    const isPrerendered = await scanLink(context, url, path)
    t.diagnostic(`the browser ${isPrerendered ? 'did' : 'did not'} prerender the link`)
  }
}

/** Opens a page that needs it, confirms the password, and gets there. */
async function openConfirmed(visitor: Visitor, path: string): Promise<void> {
  await visitor.open(path)
  if (visitor.path === '/confirm') {
    await visitor.fillIn({ Password: goodPassword })
    await visitor.press('Confirm')
    await visitor.page.waitForURL(`**${path}`)
  }
}

test(
  'a mail scanner changes no e-mail, undoes no change and keeps no account',
  { skip },
  async (t) => {
    const reader = await Visitor.arrive(t, browser, url)
    const owner = await Visitor.arrive(t, browser, url, { peer: '127.0.0.70' })
    const [email, fresh] = ['ada@example.org', 'ada@new.example.org']
    const hasEmail = (address: string): boolean =>
      site.count('SELECT count(*) FROM users WHERE email = ?', address) === 1
    await register(owner, { email, ...person })
    await owner.open(await linkIn(reader, email, 'Verify your e-mail'))
    await openConfirmed(owner, '/account/email')
    await owner.fillIn({ 'New e-mail': fresh })
    await owner.press('Send the link')
    await owner.page.getByRole('heading', { name: 'Check your new inbox' }).waitFor()

    const change = await linkIn(reader, fresh, 'Confirm your new e-mail')
    await scanned(t, owner, change)
    assert.equal(hasEmail(email), true)
    await owner.open(change)
    await owner.press('Change my e-mail')
    await owner.sees('/account', 'E-mail changed. Other devices were signed out.')
    assert.equal(hasEmail(fresh), true)

    await openConfirmed(owner, '/account/delete')
    await owner.press('Delete my account')
    await owner.sees(
      '/account',
      'Your account will be deleted. Until then you can change your mind.',
    )
    const keep = await linkIn(reader, fresh, 'Your account will be deleted')
    await scanned(t, owner, keep)
    assert.equal(site.count('SELECT count(*) FROM account_deletions'), 1)
    await owner.open(keep)
    await owner.press('Keep my account')
    await owner.sees('/account', 'Your account stays. Nothing was deleted.')
    assert.equal(site.count('SELECT count(*) FROM account_deletions'), 0)

    const undo = await linkIn(reader, email, 'Your e-mail address was changed')
    await scanned(t, owner, undo)
    assert.equal(hasEmail(fresh), true)
    const victim = await Visitor.arrive(t, browser, url, { peer: '127.0.0.72' })
    await victim.open(undo)
    await victim.press('Undo the change')
    await victim.page.waitForURL('**/forgot')
    assert.equal(hasEmail(email), true)
    await owner.open('/account')
    assert.equal(owner.path, '/login')
  },
)

test('framework sweep deletes an account with everything in every table', { skip }, async (t) => {
  // By keyboard, on a narrow screen and without JavaScript.
  const owner = await Visitor.arrive(t, browser, url, {
    peer: '127.0.0.73',
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  })
  const email = 'mary@example.org'
  await register(owner, { email, ...person })
  const user = String(site.count('SELECT id FROM users WHERE email = ?', email))
  database.prepare('UPDATE users SET email_verified_at = 1 WHERE id = ?').run(user)
  await openConfirmed(owner, '/account/export')
  await owner.page.getByRole('button', { name: 'Collect my data' }).focus()
  await owner.page.keyboard.press('Enter')
  await owner.page.getByText('We are collecting your data and will send').waitFor()
  const reader = await Visitor.arrive(t, browser, url)
  await openMail(reader, email, 'Your data is ready to download')
  await owner.open('/account/email')
  await owner.page.getByLabel('New e-mail').focus()
  await owner.page.keyboard.type('mary@new.example.org')
  await owner.page.keyboard.press('Enter')
  await owner.page.getByRole('heading', { name: 'Check your new inbox' }).waitFor()
  await owner.open('/account/delete')
  await owner.page.getByRole('button', { name: 'Delete my account' }).focus()
  await owner.page.keyboard.press('Enter')
  await owner.page.getByRole('heading', { name: 'Your account will be deleted' }).waitFor()

  const tables = tablesWith('user_id')
  const rowsOf = (table: string): number =>
    site.count(`SELECT count(*) FROM ${table} WHERE user_id = ?`, user)
  assert.deepEqual(
    tables.filter((table) => rowsOf(table) > 0),
    ['account_activity', 'account_deletions', 'account_exports', 'email_changes', 'tokens'],
  )
  database.prepare('UPDATE account_deletions SET due = 1').run()
  const sweep = ['sweep', '--environment', 'development', '--json']
  const { status, stdout, stderr } = await runCommand(t, sweep, { cwd: folder })
  assert.equal(status, 0, stderr)
  const dropped = (name: string): unknown =>
    JSON.parse(stdout).find((row: { name: string }) => row.name === name)?.dropped
  assert.deepEqual([dropped('deletions'), dropped('exports'), dropped('gatheredMails')], [1, 1, 1])
  await openMail(reader, email, 'Your account was deleted')
  assert.deepEqual(
    tables.filter((table) => rowsOf(table) > 0),
    [],
  )
  assert.equal(site.count('SELECT count(*) FROM users WHERE id = ?', user), 0)
  assert.equal(site.count('SELECT count(*) FROM sessions WHERE identity = ?', user), 0)
  await owner.open('/account')
  assert.equal(owner.path, '/login')
})

function tablesWith(column: string): string[] {
  const named = database.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`,
  )
  return named
    .all()
    .map(({ name }) => String(name))
    .filter((name) =>
      database
        .prepare(`SELECT name FROM pragma_table_info('${name}')`)
        .all()
        .some((info) => info['name'] === column),
    )
}
