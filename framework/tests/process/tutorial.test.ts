import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { Cleanup } from '../support/cleanup.ts'
import { starters } from '../../src/console/new/choices.ts'
import { readMail } from '../../src/mail/read-mail.ts'
import { Visitor } from '../../src/testing/visitor.ts'
import { violations } from '../support/axe.ts'
import { testBrowser } from '../support/browser.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { curlMissing, withCurl } from '../support/curl.ts'
import { freePort } from '../support/free-port.ts'
import { overHttp } from '../support/over-http.ts'
import { Visitor as BrowserVisitor } from '../support/visitor.ts'
import { waitFor } from '../support/wait-for.ts'
import { applyStep, guideSteps } from './guide-steps.ts'
import type { GuideStep } from './guide-steps.ts'
import { shows } from './newcomer.ts'
import { tsc, Workshop } from './new-project-workshop.ts'

const maxLines = 447
const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'tutorial.md')
const steps = guideSteps(readFileSync(page, 'utf8'))
const shell = promisify(execFile)
const workshop = new Workshop()
const browser = testBrowser()
/** The seeded account of a new project. */
const account = { email: 'member@example.com', password: 'let me see it all' }
const token = /fw_[0-9a-f]{16}_[0-9a-f]{72}/

// Once for all tests: the project, with every step of the page applied, and its server.
after(() => workshop.remove())
workshop.link()
const app = workshop.assemble({ name: 'expenses', starter: starters['auth'] ?? assert.fail() })
for (const step of steps) {
  if (step.kind !== 'commands') applyStep(app, step)
  else await make(step.commands)
}
const started = commandOf('npx framework serve --workers 2')
const env = { PORT: String(await freePort()) }
const { program } = workshop
const server = new RunningCommand({ after }, started, { cwd: app, program, env })
const url = await server.url()

test(`the reader writes at most ${maxLines} lines, views and tests included`, (t) => {
  const count = steps.reduce((sum, step) => sum + linesOf(step), 0)
  t.diagnostic(`${count} lines`)
  assert.ok(count <= maxLines, `${count} lines`)
})

test('on two workers people keep expenses, and programs add some', async (t) => {
  const guest = new Visitor(overHttp(url))
  assert.equal((await guest.ask('/expenses')).headers['location'], '/login')

  const ada = await signedIn()
  await ada.open('/projects')
  assert.equal((await ada.fill({ 'New project': 'Trip' })).message, 'Trip is ready.')
  const { errors } = await ada.fill({ 'New project': ' ' })
  assert.deepEqual(errors, { name: 'Please enter a name.' })

  await ada.open('/expenses/create')
  const text = new File(['text'], 'scan.pdf', { type: 'application/pdf' })
  const wrong = await ada.fill({ Amount: 'much', Project: '1', Receipt: text })
  assert.deepEqual(wrong.errors, {
    title: 'Please say what it was.',
    amount: 'Please enter an amount, such as 12.50.',
    receipt: 'This type of file is not accepted. Choose one of these: PDF, JPEG, PNG.',
  })
  assert.match(wrong.page, /value="much"[^]+<option value="1" selected>/)
  const Receipt = new File(['%PDF-1.7'], '../../scan.pdf', { type: 'application/pdf' })
  const filled = { 'What was it?': '=Hotel', Amount: '99,95', Day: lastMonth(7), Receipt }
  assert.equal((await ada.fill(filled)).message, '=Hotel is saved.')
  const receipt = await ada.ask('/expenses/1/receipt')
  assert.deepEqual(
    [receipt.text, receipt.headers['content-disposition']],
    ['%PDF-1.7', 'attachment; filename="1.pdf"'],
  )

  const value = await newToken(ada)
  const headers = { authorization: `Bearer ${value}` }
  const call = (method: string, body?: object): Promise<Response> =>
    fetch(`${url}/api/expenses`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  for (let day = 10; day < 22; day += 1) {
    const bill = { title: `Bill ${day}`, amount: day, spentOn: lastMonth(day), projectId: 1 }
    assert.equal((await call('POST', bill)).status, 201)
  }
  assert.deepEqual(titles((await ada.open('/expenses')).page), bills(21, 12))
  const older = await ada.click('Older')
  assert.deepEqual(titles(older.page), [...bills(11, 10), '=Hotel'])
  const some = await ada.fill({ From: lastMonth(11), Until: lastMonth(20), Title: 'Bill 1' })
  assert.deepEqual(titles(some.page), bills(19, 11))
  const csv = await ada.ask(`/expenses.csv?to=${lastMonth(10)}`)
  const lines = [`${lastMonth(10)},Bill 10,Trip,10.00`, `${lastMonth(7)},'=Hotel,Trip,99.95`]
  assert.equal(csv.text, ['Day,Title,Project,EUR', ...lines, ''].join('\r\n'))
  assert.match((await ada.open('/projects')).page, />Trip<[^]+>285\.95</)

  const eve = new Visitor(overHttp(url), { tokenPage: '/login' })
  const email = 'eve@example.com'
  const password = 'quiet copper lamp'
  await eve.submit('/register', { email, password, password_confirmation: password })
  assert.equal((await eve.ask('/expenses/1/receipt')).status, 404)
  assert.equal((await eve.ask('/expenses/2/receipt')).status, 404)
  assert.deepEqual(titles((await eve.open('/expenses?project=1')).page), [])
  await eve.open('/expenses/create')
  const foreign = { title: 'Mine?', amount: '1', projectId: '1' }
  assert.equal((await eve.fill(foreign)).status, 404)

  const values = { title: 'Taxi', amount: 12.5, spentOn: lastMonth(28), projectId: 1 }
  const added = await call('POST', values)
  assert.deepEqual(
    [added.status, await added.json()],
    [201, { id: 14, ...values, amount: '12.50' }],
  )
  assert.equal((await call('POST', { ...values, projectId: 99 })).status, 404)
  const { items } = JSON.parse(await (await call('GET')).text())
  assert.deepEqual(items[0], { id: 14, ...values, amount: '12.50' })
  assert.equal((await fetch(`${url}/api/expenses`)).status, 401)

  await mailed(t)
  // Afterwards, since the day in the page may be one of last month.
  if (curlMissing === false) await asWritten(value)
  const applied = await framework(t, 'npx framework migrate status')
  assert.ok(shows(applied, shownBy('npx framework migrate status')), applied)
})

test('two browsers on two workers follow each other', { skip: browser.skip }, async (t) => {
  const agents = ['first browser', 'second browser']
  const [one, two] = await Promise.all(
    agents.map((userAgent) =>
      BrowserVisitor.arrive(t, browser, url, { userAgent, bypassCSP: true }),
    ),
  )
  assert.ok(one !== undefined && two !== undefined)
  for (const visitor of [one, two]) {
    await visitor.open('/login')
    await visitor.fillIn({ 'E-mail': account.email, Password: account.password })
    await visitor.press('Sign in')
    await visitor.page.waitForURL((at) => at.pathname !== '/login')
    await visitor.open('/expenses')
  }
  await one.open('/projects')
  await one.fillIn({ 'New project': 'Home' })
  await one.press('Add project')
  await one.sees('/projects', 'Home is ready.')
  await one.open('/expenses')
  await waitFor('a worker for each browser', async () => {
    const [first, second] = agents.map(workerOf)
    if (first !== undefined && second !== undefined && first !== second) return true
    if (second !== undefined) await two.page.reload()
    return false
  })
  assert.deepEqual(await violations(two.page), [])

  for (const [from, to, title] of [
    [one, two, 'Breakfast'],
    [two, one, 'Supper'],
  ] as const) {
    await from.open('/expenses/create')
    await from.fillIn({ 'What was it?': title, Amount: '7.20' })
    await from.page.getByLabel('Project').selectOption('Home')
    assert.deepEqual(await violations(from.page), [])
    await from.press('Save')
    await from.sees('/expenses', `${title} is saved.`)
    await to.page.getByRole('rowheader', { name: title }).waitFor()
  }
})

test('its files type-check and its own tests pass', async (t) => {
  const strict = ['--noEmit', '--noUnusedLocals', '--noUnusedParameters']
  // From the sources of the framework, as everything in this file.
  const flags = [...strict, '--customConditions', 'source']
  const types = await runCommand(t, flags, { cwd: app, program: [tsc] })
  assert.equal(types.status, 0, types.stdout)
  const [, file = ''] = /^npm test -- (\S+)$/m.exec(commands().join('\n')) ?? []
  assert.ok(existsSync(join(app, file)), file)
  const run = ['--conditions=source', '--test', file]
  const tests = await runCommand(t, [], { cwd: app, program: run })
  assert.equal(tests.status, 0, tests.stdout)
})

/** Runs the commands that create files. The others are for a project that has them all. */
async function make(lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    if (line.startsWith('npx framework make:')) await framework({ after }, line)
  }
}

/** Runs a command of the page in the project and returns what it prints. */
async function framework(t: Cleanup, line: string): Promise<string> {
  const { program: own } = workshop
  const { status, stdout, stderr } = await runCommand(t, commandOf(line), {
    cwd: app,
    program: own,
  })
  assert.equal(status, 0, `${line}\n${stdout}${stderr}`)
  return stdout
}

/** The words of a command that the page has. */
function commandOf(line: string): string[] {
  assert.ok(commands().includes(line), `the page has no ${line}`)
  return line.replace('npx framework ', '').split(' ')
}

function commands(): readonly string[] {
  return steps.flatMap((step) => (step.kind === 'commands' ? step.commands : []))
}

/** The expected output of a command of the page. */
function shownBy(line: string): readonly string[] {
  const found = steps.find((step) => step.kind === 'commands' && step.commands.includes(line))
  return found?.kind === 'commands' ? found.shown : assert.fail(line)
}

/** The lines of a file, or those that a change adds. */
function linesOf(step: GuideStep): number {
  if (step.kind === 'commands') return 0
  if (step.kind === 'file') return step.text.trimEnd().split('\n').length
  return step.places.flatMap((place) => place.match(/^\+/gm) ?? []).length
}

async function signedIn(): Promise<Visitor> {
  const visitor = new Visitor(overHttp(url), { tokenPage: '/login' })
  await visitor.open('/login')
  await visitor.fill({ 'E-mail': account.email, Password: account.password }, { press: 'Sign in' })
  return visitor
}

/** Creates an API token on its page, which asks for the password first. */
async function newToken(visitor: Visitor): Promise<string> {
  await visitor.submit('/confirm/password', { password: account.password })
  const scopes = { 'expenses:read': 'on', 'expenses:write': 'on' }
  const { page: shown } = await visitor.submit('/account/tokens', {
    name: 'Bot',
    days: '30',
    ...scopes,
  })
  return token.exec(shown)?.[0] ?? assert.fail(shown)
}

/** Types the lines of the page that call the API. */
async function asWritten(value: string): Promise<void> {
  const lines = commands().filter((line) => line.startsWith('curl '))
  assert.equal(lines.length, 2)
  for (const line of lines) {
    const script = withCurl(`${line.replace('http://localhost:8087', url)} --silent`)
    const { stdout } = await shell('sh', ['-c', script], { env: { TOKEN: value } })
    const expected = line === lines.at(-1) ? shownBy(line) : ['"title":"Train","amount":"19.90"']
    assert.ok(shows(stdout, expected), stdout)
  }
}

async function mailed(t: TestContext): Promise<void> {
  await framework(t, 'npx framework schedule run monthly-mail')
  const folder = join(app, 'storage', 'mails')
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(files.map((name) => readMail(readFileSync(join(folder, name)))))
  const subject = `Your expenses in ${lastMonth(1).slice(0, 7)}`
  const reports = mails.filter((mail) => mail.header('Subject') === subject)
  // Eve, who has spent nothing and has not verified her address, gets none.
  assert.deepEqual(
    reports.map((mail) => [mail.header('To'), mail.text?.trim()]),
    [[account.email, 'Trip: 298.45 EUR']],
  )
}

/** A day of the last month, which the mail of today is about. */
function lastMonth(day: number): string {
  const now = new Date()
  const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, day))
  return date.toISOString().slice(0, 10)
}

function titles(shown: string): string[] {
  return [...shown.matchAll(/<th scope="row">(.+?) <small>/g)].map(([, title = '']) => title)
}

function bills(from: number, to: number): string[] {
  return Array.from({ length: from - to + 1 }, (_, at) => `Bill ${from - at}`)
}

/** The process that has the newest stream of events of a browser, as the inspector tells. */
function workerOf(agent: string): number | undefined {
  const inspector = new DatabaseSync(join(app, 'storage', 'inspector.sqlite'), { readOnly: true })
  try {
    const newest = inspector.prepare(
      `SELECT record FROM records WHERE listed LIKE '%GET /expenses/events%' AND record LIKE ?
        ORDER BY number DESC LIMIT 1`,
    )
    const found = newest.get(`%${agent}%`)
    return found === undefined ? undefined : JSON.parse(String(found['record'])).pid
  } finally {
    inspector.close()
  }
}
