import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { serveProject } from '../../src/project/start/serve-project.ts'
import type { ServedProject } from '../../src/project/start/serve-project.ts'
import { testBrowser } from '../support/browser.ts'
import { keepScreenshot } from '../support/screenshots.ts'

const browser = testBrowser()
const { skip } = browser
const phone = { width: 390, height: 844 }
const schemes = ['light', 'dark'] as const
const root = join(import.meta.dirname, '..', '..', '..', 'demo')

// Its own storage, so that a demo running meanwhile is not disturbed.
const metrics = mkdtempSync(join(tmpdir(), 'framework-metrics-'))
let demo: ServedProject
before(async () => {
  demo = await serveProject({
    root,
    environment: 'test',
    env: {
      DATABASE_URL: 'sqlite::memory:',
      LOG_LEVEL: 'silent',
      DRAIN: '0',
      FRAMEWORK_OBSERVABILITY_DIR: metrics,
    },
    port: 0,
    signals: false,
  })
})
after(async () => {
  await demo.close()
  rmSync(metrics, { recursive: true, force: true })
})

async function open(
  t: TestContext,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.context(options)
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(demo.url + path)
  return page
}

async function caption(page: Page): Promise<string> {
  return (await page.locator('caption').textContent()) ?? ''
}

async function firstName(page: Page): Promise<string> {
  return (await page.locator('tbody th').first().textContent()) ?? ''
}

test('without scripts a visitor can go to the next and previous page', { skip }, async (t) => {
  const page = await open(t, '/items', { javaScriptEnabled: false })
  const first = await firstName(page)
  assert.match(await caption(page), /page 1 of 20/)
  assert.equal(await page.getByRole('link', { name: 'Previous' }).count(), 0)
  await page.getByRole('link', { name: 'Next' }).click()
  assert.match(await caption(page), /page 2 of 20/)
  assert.notEqual(await firstName(page), first)
  await page.getByRole('link', { name: 'Previous' }).click()
  assert.equal(await firstName(page), first)
})

test('without scripts a visitor can walk by cursor and start again', { skip }, async (t) => {
  const page = await open(t, '/items', { javaScriptEnabled: false })
  await page.getByRole('link', { name: 'By cursor' }).click()
  const first = await firstName(page)
  await page.getByRole('link', { name: 'Next' }).click()
  assert.notEqual(await firstName(page), first)
  assert.equal(await page.getByRole('link', { name: 'Previous' }).count(), 0)
  await page.getByRole('link', { name: 'Start' }).click()
  assert.equal(await firstName(page), first)
})

test(
  'the form filters the list, keeps the mode and shows the current filters',
  { skip },
  async (t) => {
    const page = await open(t, '/items?cursor=', { javaScriptEnabled: false })
    await page.getByLabel('Name').fill('oak')
    await page.getByLabel('Category').selectOption('Garden')
    await page.getByLabel('Order').selectOption('Cheapest first')
    await page.getByRole('button', { name: 'Show' }).click()
    assert.equal(await caption(page), '5 items')
    assert.equal(await page.getByLabel('Name').inputValue(), 'oak')
    assert.equal(await page.getByLabel('Category').inputValue(), 'Garden')
    assert.equal(
      await page.getByRole('link', { name: 'By cursor' }).getAttribute('aria-current'),
      'true',
    )
  },
)

test('the page follows the colour scheme of the browser', { skip }, async (t) => {
  const grounds = new Set<string>()
  for (const colorScheme of schemes) {
    const page = await open(t, '/items?page=2', { colorScheme })
    grounds.add(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'))
    await keepScreenshot(page, `items-${colorScheme}`)
  }
  assert.equal(grounds.size, 2)
})

test('on a phone nothing scrolls sideways', { skip }, async (t) => {
  for (const colorScheme of schemes) {
    const page = await open(t, '/items?cursor=', { viewport: phone, colorScheme })
    await keepScreenshot(page, `items-phone-${colorScheme}`)
    for (const part of ['document.documentElement', 'document.querySelector(".scroll")']) {
      assert.ok(await page.evaluate<boolean>(`${part}.scrollWidth <= ${part}.clientWidth`), part)
    }
  }
})
