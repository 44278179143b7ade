import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { violations } from '../support/axe.ts'
import { testBrowser } from '../support/browser.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { waitFor } from '../support/wait-for.ts'
import { livelyFeed, MetricsFeed, shopStatements } from './metrics-feed.ts'
import { headline, legend, openDashboard } from './metrics-page.ts'
import type { DashboardSettings } from './metrics-page.ts'

const browser = testBrowser()
const { skip } = browser
const phone = { width: 390, height: 844 }
const require = createRequire(import.meta.url)

/** A document with only these series of one gauge. */
function gauge(name: string, labels: readonly Readonly<Record<string, string>>[]): object {
  const series = labels.map((one, value) => ({ labels: one, value }))
  return { timestamp: Date.now() / 1_000, metrics: { [name]: { type: 'gauge', help: '', series } } }
}

test(
  'axe finds no violations, in both colour schemes, wide and on a phone',
  { skip },
  async (t) => {
    const feed = livelyFeed()
    // The content security policy of the page would block axe.
    const { page, asked } = await openDashboard(t, browser, () => feed.next(), {
      browser: { colorScheme: 'light', bypassCSP: true },
      statements: () => ({ statements: shopStatements }),
    })
    await waitFor('some looks', () => asked.count > 5)
    assert.deepEqual(await violations(page), [])
    // The other two combinations use the same colours and boxes.
    await page.setViewportSize(phone)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await violations(page), [])
  },
)

test('axe finds no violations in error messages', { skip }, async (t) => {
  const { page } = await openDashboard(t, browser, () => [], { browser: { bypassCSP: true } })
  await page.getByText('The response has no metrics').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await violations(page), [])
  }
})

test('on a phone nothing scrolls sideways', { skip }, async (t) => {
  const feed = livelyFeed()
  const { page, asked } = await openDashboard(t, browser, () => feed.next(), {
    browser: { viewport: phone },
    statements: () => ({ statements: shopStatements }),
  })
  await waitFor('some looks', () => asked.count > 5)
  assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), phone.width)
  const long = { path: '/a'.repeat(300), pid: 'x'.repeat(300) }
  const other = await openDashboard(t, browser, () => gauge('process_memory_bytes', [long]), {
    browser: { viewport: phone },
  })
  await other.page.getByText('1 series').waitFor()
  assert.equal(
    await other.page.evaluate<number>('document.documentElement.scrollWidth'),
    phone.width,
  )
})

test('without JavaScript it says so and links to the text format', { skip }, async (t) => {
  const feed = livelyFeed()
  const { page, asked } = await openDashboard(t, browser, () => feed.next(), {
    browser: { javaScriptEnabled: false },
  })
  await page.getByText('draws its charts with JavaScript, which does not run here').waitFor()
  const link = page.getByRole('link', { name: 'as text' })
  assert.equal(await link.getAttribute('href'), '?format=text')
  assert.equal(await page.getByRole('heading').count(), 1)
  assert.equal(await page.getByRole('button').count(), 0)
  await keepScreenshot(page, 'metrics-scriptless')
  assert.equal(asked.count, 0)
})

test('without its module, too', { skip }, async (t) => {
  const { page } = await openDashboard(t, browser, () => ({}), { files: () => {} })
  await page.getByText('draws its charts with JavaScript, which does not run here').waitFor()
  await page.locator('.cards').waitFor({ state: 'hidden' })
})

test('nothing moves while the page is filled', { skip }, async (t) => {
  // Without faults: a line more in the verdict is news.
  const calm = (): object => gauge('process_memory_bytes', [{ pid: '1' }])
  for (const viewport of [phone, { width: 1_350, height: 940 }]) {
    const { page, asked } = await openDashboard(t, browser, calm, {
      browser: { viewport },
    })
    await waitFor('some looks', () => asked.count > 5)
    // How much of what is seen moved, and how far: up to 0.1 counts as good.
    const moved = await page.evaluate<number>(
      `new Promise((resolve) => new PerformanceObserver((list) =>
        resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)),
      ).observe({ type: 'layout-shift', buffered: true }))`,
    )
    assert.ok(moved < 0.03, `${moved}`)
  }
})

test('nothing is animated for people who prefer reduced motion', { skip }, async (t) => {
  const animations = 'document.getAnimations().length'
  for (const [reducedMotion, running] of [
    ['no-preference', 1],
    ['reduce', 0],
  ] as const) {
    const feed = livelyFeed()
    const { page } = await openDashboard(t, browser, () => feed.next(), {
      browser: { reducedMotion },
    })
    await page.getByText('Live').waitFor()
    assert.equal(await page.evaluate<number>(animations), running)
  }
})

test('series can be searched, and at most 500 of them are shown', { skip }, async (t) => {
  const labels = Array.from({ length: 700 }, (_, at) => ({ route: `/r${at}`, method: 'GET' }))
  const { page } = await openDashboard(t, browser, () => gauge('waiting', labels))
  const rows = page.locator('#series tr')
  await page.getByText('The first 500 of 700 series').waitFor()
  assert.equal(await rows.count(), 500)
  await page.getByRole('searchbox', { name: 'Search' }).fill('WAITING "/r699"')
  await page.getByText('1 of 700 series').waitFor()
  assert.deepEqual(await rows.locator('th, td').allInnerTexts(), [
    'waiting',
    'method="GET", route="/r699"',
    '699',
  ])
  await page.getByRole('searchbox').fill('')
  await page.getByText('The first 500 of 700 series').waitFor()
})

test('names and labels that look like markup are escaped', { skip }, async (t) => {
  const hostile = `</script><img src=x onerror="document.title='run'">`
  const { page, requests, problems } = await openDashboard(t, browser, () => {
    const series = [{ labels: { pid: hostile }, value: 5 }]
    const metrics = { process_memory_bytes: { series }, [hostile]: { series } }
    return { timestamp: Date.now() / 1_000, metrics }
  })
  await page.getByText('2 series').waitFor()
  assert.equal((await legend(page, 'Memory per worker'))[0]?.[0], hostile)
  assert.equal(await page.locator('img').count(), 0)
  assert.equal(await page.title(), 'Metrics')
  const foreign = requests.filter(
    (url) => !/^http:\/\/127\.0\.0\.1:\d+\/metrics(?:\/page\/|\/statements$|$)/.test(url),
  )
  assert.deepEqual(foreign, [])
  assert.deepEqual(problems, [])
})

test('many workers are shown by their range', { skip }, async (t) => {
  const pids = Array.from({ length: 16 }, (_, at) => 5_000 + at)
  const feed = new MetricsFeed({ workers: () => pids })
  const { page } = await openDashboard(t, browser, () => feed.next())
  await waitFor('a rate of CPU', async () => (await legend(page, 'CPU per worker')).length > 0)
  for (const title of ['CPU per worker', 'Memory per worker']) {
    const names = (await legend(page, title)).map(([name]) => name)
    assert.deepEqual(names, ['Highest of 16', 'Median', 'Lowest'])
  }
})

test('missing metrics are marked as missing', { skip }, async (t) => {
  const { page, problems } = await openDashboard(t, browser, () => gauge('other', [{}]))
  await page.getByText('1 series').waitFor()
  assert.equal(await page.getByText('Nothing measured yet').count(), 9)
  assert.equal(await headline(page, 'Request rate'), '–')
  await keepScreenshot(page, 'metrics-empty')
  assert.deepEqual(problems, [])
})

test('the page of the compiled package works too', { skip }, async (t) => {
  const compiled = await compiledDashboard(t)
  const feed = new MetricsFeed()
  const { page, requests, problems } = await openDashboard(t, browser, () => feed.next(), compiled)
  await waitFor('a rate', async () => (await headline(page, 'Request rate')) === '50.0/s')
  assert.ok(requests.some((url) => url.endsWith('/in-page/dom/dashboard.js')))
  assert.deepEqual(problems, [])
})

/** The packed dashboard, with the modules written by the compiler. */
async function compiledDashboard(t: TestContext): Promise<DashboardSettings> {
  const folder = mkdtempSync(join(tmpdir(), 'framework-dashboard-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const framework = join(import.meta.dirname, '..', '..')
  const dashboard = 'devtools/metrics-page'
  const project = join(folder, 'tsconfig.json')
  const typeRoots = [join(dirname(require.resolve('@types/node/package.json')), '..')]
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(framework, 'tsconfig.build.json'),
      compilerOptions: { outDir: folder, typeRoots },
      include: [join(framework, 'src', dashboard)],
      exclude: [join(framework, 'src', '**', '*.test.ts')],
    }),
  )
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(
    join(dirname(require.resolve('uplot/package.json')), '..'),
    join(folder, 'node_modules'),
  )
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '--project', project])
  assert.equal(status, 0, String(stdout))
  const views = join(dashboard, 'views')
  cpSync(join(framework, 'src', views), join(folder, views), { recursive: true })
  const { metricsDashboard } = await import(join(folder, dashboard, 'metrics-dashboard.js'))
  const { declarePageFiles } = await import(join(folder, dashboard, 'page-files.js'))
  return { render: metricsDashboard, files: declarePageFiles }
}
