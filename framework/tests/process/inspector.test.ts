import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { ActivityRecord } from '../../src/devtools/inspector/activity-record.ts'
import { RecordFile, recordPath } from '../../src/devtools/inspector/record-file.ts'
import type { RecordSearch } from '../../src/devtools/inspector/record-file.ts'
import { violations } from '../support/axe.ts'
import { testBrowser } from '../support/browser.ts'
import { runCommand } from '../support/command.ts'
import { startDemo } from '../support/demo-site.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { Visitor } from '../support/visitor.ts'
import { waitFor } from '../support/wait-for.ts'
import { goodPassword, openMail, register } from './demo-steps.ts'

const browser = testBrowser()
const { skip } = browser
const phone = { width: 390, height: 844 }
const { url, folder } = await startDemo({ workers: 2 })

function recordsOf(t: TestContext): (search: RecordSearch) => readonly ActivityRecord[] {
  const file = new RecordFile(recordPath(folder))
  t.after(() => file.close())
  return (search) => {
    try {
      return file.list(search).flatMap(({ number }) => file.read(number) ?? [])
    } catch {
      // A worker is writing.
      return []
    }
  }
}

test('requests of all workers appear in the open list, and can be found', { skip }, async (t) => {
  const records = recordsOf(t)
  const developer = await Visitor.arrive(t, browser, url)
  const { page } = developer
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await developer.open('/inspect')
  await page.getByText('Live', { exact: true }).waitFor()
  await waitFor('requests of two workers', async () => {
    // A connection stays with its worker.
    await fetch(`${url}/items?order=name`, { headers: { connection: 'close' } })
    return new Set(records({ words: '/items' }).map(({ pid }) => pid)).size === 2
  })
  await fetch(`${url}/no-such-page`)
  const rows = page.locator('#rows tr')
  await rows.filter({ hasText: 'GET /items' }).first().waitFor()
  await rows.filter({ hasText: '/no-such-page' }).waitFor()
  assert.equal(await page.locator('#rows', { hasText: '/inspect' }).count(), 0)

  await page.keyboard.press('/')
  await page.keyboard.type('404 no-such')
  await waitFor('only the page that is missing', async () => (await rows.count()) === 1)
  assert.match(page.url(), /\?q=404\+no-such$/)
  await page.keyboard.press('Escape')
  await rows.filter({ hasText: 'GET /items' }).first().waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('k')
  const chosen = await page.locator('#rows a:focus .subject').innerText()
  await page.keyboard.press('Enter')
  await developer.heading.filter({ hasText: chosen }).waitFor()
  // Shown by the script, which the keys need.
  await page.getByText('back to the list').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(`${url}/inspect`)
  assert.ok(asked.includes('/inspect/events'))
  assert.ok(!asked.includes('/inspect/rows'), 'it does not poll')
})

test('a list that gets no events polls', { skip }, async (t) => {
  const developer = await Visitor.arrive(t, browser, url, { refusals: [503] })
  const { page } = developer
  await page.route('**/inspect/events*', (route) => route.fulfill({ status: 503 }))
  await developer.open('/inspect')
  await page.getByText('Live', { exact: true }).waitFor()
  await fetch(`${url}/not-told`)
  await page.locator('#rows tr').filter({ hasText: '/not-told' }).waitFor()
})

test('a request shows its statements, and how the database would run them', { skip }, async (t) => {
  const records = recordsOf(t)
  const developer = await Visitor.arrive(t, browser, url)
  const { page } = developer
  await developer.open('/items?order=name')
  await developer.open('/inspect?q=/items')
  await page.locator('#rows a').first().click()
  await page.getByRole('heading', { name: /^Timeline .* 2 queries/ }).waitFor()
  // The styles of the page, which are requests too, would bury it.
  assert.deepEqual(records({ words: '.css' }), [])
  assert.match(await page.locator('.steps').innerText(), /SELECT .* FROM .*items/)
  assert.match(await page.locator('.steps .place').first().innerText(), /\.ts:\d+$/)
  await page.getByRole('button', { name: 'Explain' }).first().click()
  const plan = page.locator('.plan').first()
  await plan.waitFor()
  assert.match(await plan.innerText(), /SCAN|SEARCH/)
})

test('a debug page leads to the record with the exception', { skip }, async (t) => {
  const developer = await Visitor.arrive(t, browser, url, { refusals: [500] })
  const { page } = developer
  await developer.open('/error')
  await page.getByText('Request', { exact: false }).getByRole('link').click()
  await page.getByRole('heading', { name: /^Exception/ }).waitFor()
  await page.locator('.panel:visible mark').first().waitFor()
  assert.equal(await page.locator('.activity .status').innerText(), '500')
})

test('a mail leads to the request that sent it, and back', { skip }, async (t) => {
  const newcomer = await Visitor.arrive(t, browser, url, { peer: '203.0.113.9' })
  await register(newcomer, { email: 'inspected@example.org', password: goodPassword })
  const developer = await Visitor.arrive(t, browser, url)
  const { page } = developer
  await openMail(developer, 'inspected@example.org', 'Verify your e-mail')
  const mail = page.url()
  const sender = page.getByRole('link', { name: 'What sent it' })
  await waitFor('the record of the mail', async () => {
    await page.goto(mail)
    await sender.click()
    return (await page.locator('#rows a').count()) > 0
  })
  await page.locator('#rows a').first().click()
  await page.locator('.steps a[href^="/mails/of/"]').click()
  await page.waitForURL(mail)
})

test('commands are recorded, and nothing secret is', { skip }, async (t) => {
  const records = recordsOf(t)
  const password = 'planted copper secret'
  const visitor = await Visitor.arrive(t, browser, url, { peer: '203.0.113.10' })
  await register(visitor, { email: 'planted@example.org', password })
  const cookies = (await visitor.context.cookies()).map(({ value }) => value)
  await visitor.open('/account?token=planted-in-a-query')
  const { status } = await runCommand(t, ['migrate', 'status'], {
    cwd: folder,
    env: { FRAMEWORK_ENVIRONMENT: 'development' },
  })
  assert.equal(status, 0)
  await waitFor('both records', () =>
    ['migrate status', 'GET /account'].every((words) => records({ words }).length > 0),
  )
  const [command] = records({ kind: 'command' })
  assert.equal(command?.title, 'migrate')
  assert.equal(command.status, '0')
  assert.ok(command.statements > 0)
  const account = records({ words: 'get /account' }).find((record) => record.account !== null)
  assert.ok(account?.tables.some(({ title }) => title === 'Session keys'))
  const path = recordPath(folder)
  const kept = Buffer.concat([readFileSync(path), readFileSync(`${path}-wal`)]).toString('latin1')
  for (const secret of [password, 'planted@example.org', 'planted-in-a-query', ...cookies]) {
    assert.ok(!kept.includes(secret), secret)
  }
})

test('both pages are accessible, light and dark, wide and on a phone', { skip }, async (t) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    // The content security policy of the page would block axe.
    const options = { colorScheme, bypassCSP: true, refusals: [500] }
    const developer = await Visitor.arrive(t, browser, url, options)
    const { page } = developer
    await developer.open('/error')
    for (const [name, path] of [
      ['list', '/inspect'],
      ['request', '/inspect?q=/items'],
      ['exception', '/inspect?q=/error'],
    ] as const) {
      await developer.open(path)
      if (name !== 'list') {
        await page.locator('#rows a').first().click()
        await page.locator('main .part').first().waitFor()
      }
      // The other two combinations use the same colours and boxes.
      if (colorScheme === 'light') assert.deepEqual(await violations(page), [])
      await keepScreenshot(page, `inspector-${name}-${colorScheme}`)
      await page.setViewportSize(phone)
      if (colorScheme === 'dark') assert.deepEqual(await violations(page), [])
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(width <= phone.width, `${name} is ${width} pixels wide`)
      await keepScreenshot(page, `inspector-${name}-phone-${colorScheme}`)
      await page.setViewportSize({ width: 1280, height: 800 })
    }
  }
})
