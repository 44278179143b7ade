import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { connect } from '../../src/database/connect.ts'
import { defineProject } from '../../src/project/project.ts'
import { assembleProject } from '../../src/project/start/assemble-project.ts'
import { SecureHeaders } from '../../src/http/middlewares/secure-headers.ts'
import { routeSet } from '../../src/http/router/route-set.ts'
import type { Router } from '../../src/http/router/router.ts'
import { violations } from '../support/axe.ts'
import { testBrowser } from '../support/browser.ts'
import { startDemo } from '../support/demo-site.ts'
import { plantProject } from '../support/plant-project.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { Visitor } from '../support/visitor.ts'

const browser = testBrowser()
const { skip } = browser
const { url } = await startDemo()
const looks = [
  { colorScheme: 'light', viewport: { width: 320, height: 640 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
] as const

/** Where everything else on the page is, and how large the page is. */
const places = `JSON.stringify([
  [...document.querySelectorAll('body *:not(aside)')].map((one) => one.getBoundingClientRect()),
  document.documentElement.scrollWidth, document.documentElement.scrollHeight,
])`

const badgeIn = (page: Page): Locator => page.locator('[data-dev-badge] a')

async function assertInCorner(page: Page): Promise<void> {
  const box = await badgeIn(page).boundingBox()
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  assert.ok(box !== null && box.height >= 24, 'large enough for a finger')
  assert.deepEqual([box.x + box.width, box.y + box.height].map(Math.round), [width - 8, height - 8])
}

test('it is in its corner without a script, and moves nothing', { skip }, async (t) => {
  for (const look of looks) {
    const { page } = await Visitor.arrive(t, browser, url, {
      ...look,
      javaScriptEnabled: false,
      refusals: [404, 500],
    })
    for (const path of ['/', '/items?order=name', '/nowhere', '/error']) {
      await page.goto(url + path)
      await assertInCorner(page)
      await keepScreenshot(page, `badge${path.replaceAll(/\W/g, '-')}-${look.viewport.width}`)
      const before = await page.evaluate(places)
      await page.evaluate(`document.querySelector('[data-dev-badge]').remove()`)
      assert.equal(await page.evaluate(places), before, path)
    }
  }
})

test('the keyboard opens the record, and axe finds no violations', { skip }, async (t) => {
  const { page } = await Visitor.arrive(t, browser, url, { ...looks[0], bypassCSP: true })
  for (const { colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await page.goto(url)
    assert.deepEqual(await violations(page), [])
  }
  const name = /^[\d.]+ m?s · 0 queries: open in the inspector$/
  await page
    .getByRole('complementary', { name: 'Development' })
    .getByRole('link', { name })
    .waitFor()
  const isThere = `document.activeElement.hasAttribute('data-dev-badge')`
  // It is the last on the page.
  await page.locator('body :is(a, button)').last().focus()
  while (!(await page.evaluate(isThere))) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'GET / 200' }).waitFor()
  assert.equal(await badgeIn(page).count(), 0, 'the inspector has none')
})

/** A project with pages that a badge is not made for, and a request with a query in a loop. */
async function project(t: TestContext): Promise<string> {
  const root = plantProject(t, {
    'orders.mjs': `export async function orders(database) {
      for (let id = 1; id <= 25; id += 1) {
        await database.rows({ sql: 'SELECT ? AS id', parameters: [id] })
      }
      await database.rows({ sql: 'SELECT total FROM orders', parameters: [] })
    }`,
  })
  const { orders } = await import(join(root, 'orders.mjs'))
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const body = (style: string): string =>
    `<!doctype html><html lang="en"><head><title>Shop</title><style>${style}</style></head>` +
    `<body><main><h1>Shop</h1></main></body></html>`
  const Shop = routeSet('Shop', (router) => {
    router.get('/loud', (_request, response) =>
      response.html(
        body(`* { display: block !important; position: static !important; margin: 9rem !important }
          [hidden] { display: none !important } a { font-size: 5rem !important }`),
      ),
    )
    const strict = new SecureHeaders({ contentSecurityPolicy: "default-src 'self'" })
    const strictPage = (inner: Router): void => {
      inner.get('/', (_request, response) => response.html(body('')))
    }
    router.group('/strict', strictPage, [strict])
    router.get('/orders', async () => orders(database))
  })
  const { server } = await assembleProject({
    root,
    project: defineProject({ name: 'shop', routes: [Shop] }),
    env: { LOG_LEVEL: 'silent', PORT: '0' },
    environment: 'development',
  })
  t.after(() => server.close())
  const { port } = await server.listen({ signals: false })
  return `http://127.0.0.1:${port}`
}

test(
  'the style of a page does not reach it, and a policy without a nonce hides it',
  { skip },
  async (t) => {
    const site = await project(t)
    const page = await (await browser.context(looks[0])).newPage()
    await page.goto(`${site}/loud`)
    await assertInCorner(page)
    const size = `getComputedStyle(document.querySelector('aside').shadowRoot.querySelector('a')).fontSize`
    assert.equal(await page.evaluate(size), '13px')
    await page.goto(`${site}/strict`)
    assert.deepEqual([await badgeIn(page).count(), await badgeIn(page).isVisible()], [1, false])
    const before = await page.evaluate(places)
    await page.evaluate(`document.querySelector('[data-dev-badge]').remove()`)
    assert.equal(await page.evaluate(places), before)
  },
)

test('a debug page has the queries of its request, folded', { skip }, async (t) => {
  const site = await project(t)
  const page = await (await browser.context({ bypassCSP: true })).newPage()
  await page.goto(`${site}/orders`)
  const queries = page.getByRole('group').filter({ hasText: '26 queries' })
  const row = queries.getByRole('row').filter({ hasText: '1 SELECT ×25' })
  assert.equal(await row.isVisible(), false)
  await queries.locator('summary').click()
  assert.match(await row.innerText(), /SELECT \? AS id\nat orders\.mjs:3$/)
  assert.match(await queries.getByRole('row').last().innerText(), /^2 SELECT, .*orders\.mjs:5$/s)
  for (const { colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await keepScreenshot(page, `debug-queries-${viewport.width}`)
    assert.deepEqual(await violations(page), [])
  }
  assert.match(await badgeIn(page).innerText(), / · 26 queries · N\+1 · 1 error$/)
})
