import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { connect } from '../../src/database/connect.ts'
import { ObservabilityRoutes } from '../../src/devtools/observability/observability.ts'
import { testBrowser } from '../support/browser.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { serve } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'
import { livelyFeed, MetricsFeed, shopRoutes, shopStatements } from './metrics-feed.ts'
import { card, legend, openDashboard } from './metrics-page.ts'

const browser = testBrowser()
const { skip } = browser
const statements = (): object => ({ statements: shopStatements })

/** The values of a column of the routes, from the top. */
async function column(page: Page, at: number): Promise<string[]> {
  return (await legend(page, 'Routes')).map((row) => row[at] ?? '')
}

/** What the headers of the routes say about the order. */
function sorting(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('#routes thead th')].map((th) => th.ariaSort ?? '')`,
  )
}

test(
  'the routes with the highest rates are shown, with percentiles and the share of errors',
  { skip },
  async (t) => {
    const feed = new MetricsFeed({ routes: shopRoutes })
    const { page, asked } = await openDashboard(t, browser, () => feed.next())
    await waitFor('a full average', () => asked.count > 10)
    await page.getByText('Pause').click()
    const rows = await legend(page, 'Routes')
    assert.equal(rows.length, 20)
    await page.getByText('The first 20 of 32 rows').waitFor()
    assert.deepEqual(
      rows.slice(0, 7).map(([name, rate]) => [name, rate]),
      [
        ['GET /', '120/s'],
        ['GET /products', '96.0/s'],
        ['GET /products/:id', '90.0/s'],
        ['GET /search', '22.0/s'],
        ['POST /cart/:id/lines', '14.0/s'],
        ['GET without a route', '6.00/s'],
        ['POST /orders', '4.50/s'],
      ],
    )
    const [, , p50 = '', p99 = '', errors] = rows[6] ?? []
    assert.match(p50, /^[34]\d\d ms$/)
    assert.match(p99, /^\d\.\d\d s$/)
    assert.equal(errors, '11.1 %')
  },
)

test(
  'routes can be sorted with mouse and keyboard, and the headers tell how',
  { skip },
  async (t) => {
    const feed = new MetricsFeed({ routes: shopRoutes })
    const { page, asked } = await openDashboard(t, browser, () => feed.next())
    await waitFor('a full average', () => asked.count > 10)
    assert.deepEqual(await sorting(page), ['', 'descending', '', '', ''])
    await page.getByRole('button', { name: 'p99' }).click()
    assert.deepEqual(await sorting(page), ['', '', '', 'descending', ''])
    assert.equal((await column(page, 0))[0], 'POST /orders')
    await page.keyboard.press('Enter')
    assert.deepEqual(await sorting(page), ['', '', '', 'ascending', ''])
    assert.match((await column(page, 0))[0] ?? '', /without a route$/)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Space')
    assert.deepEqual(await sorting(page), ['ascending', '', '', '', ''])
    const names = await column(page, 0)
    assert.deepEqual(
      names,
      names.toSorted((a, b) => a.localeCompare(b, 'en')),
    )
    const count = asked.count
    await waitFor('more readings', () => asked.count > count + 2)
    assert.deepEqual(await sorting(page), ['ascending', '', '', '', ''])
    assert.deepEqual(await column(page, 0), names)
  },
)

test('the slowest queries are shown with their callers, as text only', { skip }, async (t) => {
  const feed = new MetricsFeed()
  const hostile = { statement: '<img src=x>', count: 1, total: 9, max: 9, caller: '<b>' }
  const shown = { list: [...shopStatements, hostile] }
  const { page, problems } = await openDashboard(t, browser, () => feed.next(), {
    statements: () => ({ statements: shown.list }),
  })
  await card(page, 'Slowest queries').waitFor()
  const rows = await legend(page, 'Slowest queries')
  assert.deepEqual(rows[0], ['<img src=x>\n<b>', '1', '9.00 s', '9.00 s'])
  assert.match(rows[1]?.[0] ?? '', /^SELECT "p"\."id".*\nshop\/search\.ts:41$/s)
  assert.deepEqual(rows[1]?.slice(1), ['6,612', '147 ms', '1.84 s'])
  assert.equal(await page.locator('img').count(), 0)
  await card(page, 'Slowest queries').getByRole('button', { name: 'Runs' }).click()
  assert.equal((await legend(page, 'Slowest queries'))[0]?.[1], '104,311')
  shown.list = []
  await card(page, 'Slowest queries').waitFor({ state: 'hidden' })
  assert.deepEqual(problems, [])
})

test('a real server shows its routes and queries', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-tables-'))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const { port } = await serve(t, (server) => {
    server.configure({ observability: { folder } }).mount([ObservabilityRoutes], {})
    server.router.get('/things/:id', async ({ params }) => {
      await database.rows({ sql: 'SELECT ? AS "id"', parameters: [params.id] })
      return 'thing'
    })
  })
  const origin = `http://127.0.0.1:${port}`
  for (const id of ['1', 'hunter22']) await fetch(`${origin}/things/${id}`)
  const context = await browser.context()
  t.after(() => context.close())
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url().slice(origin.length)))
  await page.goto(`${origin}/metrics`)
  const queries = card(page, 'Slowest queries')
  await queries.getByText('SELECT ? AS "id"').waitFor()
  await queries.getByText(/metrics-tables\.test\.ts:\d+/).waitFor()
  await card(page, 'Routes').getByText('GET /things/:id').waitFor()
  await waitFor('a rate', async () => {
    const rows = await legend(page, 'Routes')
    return rows.some(([name, rate]) => name === 'GET /metrics' && /^[0-9.]+\/s$/.test(rate ?? ''))
  })
  assert.doesNotMatch(await page.locator('body').innerText(), /hunter22/)
  const others = asked.filter((path) => !path.startsWith('/metrics/page/'))
  assert.deepEqual(others, ['/metrics', '/metrics/events'], 'it does not poll')
})

test('the tables fit in light, dark and on a phone', { skip }, async (t) => {
  const feed = livelyFeed()
  const { page, asked } = await openDashboard(t, browser, () => feed.next(), {
    browser: { viewport: { width: 1_280, height: 900 } },
    statements,
  })
  await waitFor('a full average', () => asked.count > 10)
  await page.getByText('Pause').click()
  for (const [name, width, colorScheme] of [
    ['light', 1_280, 'light'],
    ['dark', 1_280, 'dark'],
    ['phone', 390, 'light'],
    ['phone-dark', 390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    for (const id of ['routes', 'statements']) {
      const wide = await page.evaluate<number>(
        `{ const { scrollWidth, clientWidth } = document.querySelector('#${id} .scroll')
          scrollWidth - clientWidth }`,
      )
      assert.equal(wide, 0, `${id} ${name}`)
    }
    await keepScreenshot(page, `metrics-tables-${name}`)
  }
})
