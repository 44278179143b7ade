import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { Server } from '../../src/http/server/server.ts'
import { violations } from '../support/axe.ts'
import { testBrowser } from '../support/browser.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { failingRoutes, hostileMessage } from './debug-page-routes.ts'

const browser = testBrowser()
const { skip } = browser
const phone = { width: 390, height: 844 }
const schemes = ['light', 'dark'] as const

/** A page and a record of its side effects. */
interface Opened {
  readonly page: Page
  /** Addresses of everything it requested. */
  readonly requests: readonly string[]
  /** Console errors and script errors. */
  readonly problems: readonly string[]
}

async function open(
  t: TestContext,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const server = new Server({
    environment: 'development',
    throwables: createThrowables(),
    reporter: null,
  })
  failingRoutes(server)
  const { port } = await server.configure({ port: 0, drainTimeout: 0 }).listen({ signals: false })
  t.after(() => server.close())
  const context = await browser.context(options)
  t.after(() => context.close())
  const page = await context.newPage()
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // The browser logs the error status, which is expected.
    const answer = message.text().includes('status of 500')
    if (message.type() === 'error' && !answer) problems.push(message.text())
  })
  const answer = await page.goto(`http://127.0.0.1:${port}${path}`)
  assert.equal(answer?.status(), 500)
  return { page, requests, problems }
}

async function shown(page: Page, error = 0): Promise<string> {
  const stack = page.locator('.stack').nth(error)
  const panels = stack.locator('.panel:visible')
  assert.equal(await panels.count(), 1)
  return (await panels.locator('.place').textContent()) ?? ''
}

/** The location of a text in the routes, as pages show it. */
function placeOf(text: string): RegExp {
  const routes = readFileSync(join(import.meta.dirname, 'debug-page-routes.ts'), 'utf8')
  const line = routes.split('\n').findIndex((code) => code.includes(text)) + 1
  return new RegExp(`tests/process/debug-page-routes\\.ts:${line}:\\d+$`)
}

async function choose(page: Page, error: number, call: string): Promise<void> {
  await page.locator('.stack').nth(error).locator('label', { hasText: call }).click()
}

test('the page follows the colour scheme of the browser', { skip }, async (t) => {
  const grounds = new Set<string>()
  for (const colorScheme of schemes) {
    const { page } = await open(t, '/users/7', { colorScheme })
    grounds.add(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'))
    await keepScreenshot(page, `debug-${colorScheme}`)
  }
  assert.equal(grounds.size, 2)
})

test('it shows the error, its causes and where it was thrown', { skip }, async (t) => {
  const { page } = await open(t, '/users/7')
  const heading = page.getByRole('heading', { level: 1 })
  assert.equal(await heading.innerText(), 'AggregateError\nUser 7 could not be loaded')
  const links = await page.getByRole('navigation').getByRole('link').allInnerTexts()
  assert.deepEqual(links, [
    'QueryError There is no table "users"',
    'RangeError The replica is 12 s behind',
  ])
  assert.match(await shown(page), placeOf('throw new AggregateError'))
  const marked = page.locator('.panel:visible mark').first()
  assert.match((await marked.textContent()) ?? '', /throw new AggregateError\(others/)
})

test('only the document is requested, without errors', { skip }, async (t) => {
  const { page, requests, problems } = await open(t, '/users/7')
  await page.waitForLoadState('networkidle')
  assert.equal(requests.length, 1)
  assert.deepEqual(problems, [])
})

test('frames can be selected with the keyboard alone', { skip }, async (t) => {
  const { page } = await open(t, '/users/7')
  const focused = page.locator(':focus')
  do await page.keyboard.press('Tab')
  while ((await focused.getAttribute('type')) !== 'radio')
  const first = await shown(page)
  await page.keyboard.press('ArrowDown')
  const second = await shown(page)
  assert.match(second, placeOf('= loadUser(id)'))
  assert.notEqual(second, first)
  await page.keyboard.press('ArrowUp')
  assert.equal(await shown(page), first)
  const outline = await page.evaluate<string>(
    `getComputedStyle(document.querySelector(':focus + label')).outlineStyle`,
  )
  assert.equal(outline, 'solid')
})

test('folded frames can be opened and selected with the keyboard', { skip }, async (t) => {
  const { page } = await open(t, '/users/7')
  const fold = page.locator('.frames').first().locator('details').first()
  const vendor = fold.getByRole('radio').first()
  assert.match(await fold.locator('summary').innerText(), /^\d+ vendor( and node)? frames?$/)
  assert.equal(await vendor.isVisible(), false)
  await fold.locator('summary').focus()
  await page.keyboard.press('Enter')
  await vendor.focus()
  await page.keyboard.press('Space')
  assert.match(await shown(page), /src\/http\//)
})

test('each error of the chain has its own selection', { skip }, async (t) => {
  const { page } = await open(t, '/users/7')
  const before = await shown(page)
  assert.match(await shown(page, 1), placeOf('throw new QueryError'))
  await choose(page, 1, 'loadUser')
  assert.match(await shown(page, 1), placeOf('return query('))
  assert.equal(await shown(page), before)
})

test('it works without JavaScript', { skip }, async (t) => {
  const { page } = await open(t, '/users/7', { javaScriptEnabled: false })
  const first = await shown(page)
  await choose(page, 0, 'showUser')
  const second = await shown(page)
  assert.notEqual(second, first)
  await page.keyboard.press('ArrowUp')
  assert.equal(await shown(page), first)
  assert.equal(await page.getByRole('button').count(), 0)
})

test(
  'axe finds no violations, in both colour schemes, wide and on a phone',
  { skip },
  async (t) => {
    // The content security policy of the page would block axe.
    const { page } = await open(t, '/users/7', { colorScheme: 'light', bypassCSP: true })
    await page.locator('summary').first().click()
    assert.deepEqual(await violations(page), [])
    // The other two combinations use the same colours and boxes.
    await page.setViewportSize(phone)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await violations(page), [])
  },
)

test('on a phone nothing but code scrolls sideways', { skip }, async (t) => {
  const { page } = await open(t, '/users/7', { viewport: phone })
  await keepScreenshot(page, 'debug-phone')
  for (const summary of await page.locator('summary').all()) await summary.click()
  assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), phone.width)
  const scrolled = await page.evaluate<number>(
    `(() => {
      const code = [...document.querySelectorAll('.code')].find(({ offsetWidth }) => offsetWidth > 0)
      code.scrollLeft = 40
      return code.scrollLeft
    })()`,
  )
  assert.equal(scrolled, 40)
})

test('the error can be copied as Markdown', { skip }, async (t) => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page } = await open(t, '/users/7', { permissions })
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  await page.getByText('Copied').waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.match(copied, /^# `AggregateError`\n\n```text\nUser 7 could not be loaded\n```\n/)
  assert.match(copied, /\n## Together with `RangeError`\n/)
  assert.match(copied, /\n### `Route`\n\n```text\npattern: \/users\/:id\nid: 7\n```\n/)
})

test('without a clipboard the Markdown is shown, ready to be copied', { skip }, async (t) => {
  const { page } = await open(t, '/users/7')
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`)
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  const text = page.getByRole('textbox')
  await text.waitFor()
  assert.match(await text.inputValue(), /^# `AggregateError`/)
  assert.match(await page.evaluate<string>('getSelection().toString()'), /^# `AggregateError`/)
})

test('a message that looks like markup is escaped', { skip }, async (t) => {
  const { page, requests, problems } = await open(t, '/hostile')
  const heading = page.getByRole('heading', { level: 1 })
  assert.equal(await heading.innerText(), `Error\n${hostileMessage}`)
  assert.match(await page.title(), /^Error: /)
  assert.equal(await page.locator('img').count(), 0)
  assert.equal(requests.length, 1)
  assert.deepEqual(problems, [])
})

test('credentials of the request are masked', { skip }, async (t) => {
  const secret = 'planted-in-the-request'
  const { page } = await open(t, `/users/7?token=${secret}&page=2`, {
    extraHTTPHeaders: { authorization: `Bearer ${secret}`, cookie: `session=${secret}` },
  })
  const text = await page.content()
  assert.equal(text.includes(secret), false)
  assert.match(text, /<th scope="row">authorization<\/th><td>\[redacted\]</)
  assert.match(text, /<th scope="row">session<\/th><td>\[redacted\]</)
  assert.match(text, /<th scope="row">page<\/th><td>2</)
})
