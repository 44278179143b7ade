import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { record, writePast } from '../../src/devtools/metrics-page/in-page/past.ts'
import type { Past } from '../../src/devtools/metrics-page/in-page/past.ts'
import { readSample } from '../../src/devtools/metrics-page/in-page/sample.ts'
import { ObservabilityRoutes } from '../../src/devtools/observability/observability.ts'
import { lastHour, lastHourText } from '../../src/devtools/observability/last-hour.ts'
import { violations } from '../support/axe.ts'
import { testBrowser } from '../support/browser.ts'
import { metricsFolder, metricsServer, workerPids } from '../support/metrics-fleet.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { serve } from '../support/serve.ts'
import { startServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'
import { MetricsFeed, shopRoutes } from './metrics-feed.ts'
import { card, hasLine, headline, legend } from './metrics-page.ts'

const browser = testBrowser()
const { skip } = browser

/** Writes an hour that ends now, in which POST /orders was slow and failed often. */
function plantHour(folder: string): void {
  const feed = new MetricsFeed({ routes: shopRoutes }, 10)
  const late = Date.now() / 1_000 - 1_700_000_000 - 3_600
  let past: Past = { steps: [], sample: null }
  for (let look = 0; look < 359; look += 1) {
    const sample = readSample(feed.next())
    assert.ok(sample)
    past = record(past, { ...sample, at: sample.at + late }, 15)
  }
  writeFileSync(join(folder, 'last-hour.past'), writePast(past))
}

for (const workers of [1, 2]) {
  test(`with ${workers} of them, the hour outlives every process`, async (t) => {
    const folder = metricsFolder(t)
    plantHour(folder)
    const [first] = await lastHour(folder)
    const kept = async (): Promise<boolean> =>
      (await lastHour(folder))[1]?.counts['route GET /products'] !== undefined
    const observability = { folder, interval: 1 }
    const server = await startServer(t, metricsServer, { workers, observability })
    const origin = `http://127.0.0.1:${server.port}`
    const counted = async (): Promise<number> => {
      const headers = { connection: 'close' }
      await fetch(`${origin}/pid?token=hunter22`, { headers }).catch(() => null)
      await fetch(`${origin}/hunter22`, { headers }).catch(() => null)
      const steps = await lastHour(folder)
      return steps.reduce((sum, { counts }) => sum + (counts['route GET /pid']?.['+Inf'] ?? 0), 0)
    }
    assert.ok(first)
    await waitFor('requests in the hour', async () => (await counted()) > 3)
    assert.ok(await kept())
    if (workers > 1) {
      const [pid] = workerPids(server)
      assert.ok(pid)
      process.kill(pid, 'SIGKILL')
      await waitFor('another worker', () => workerPids(server).length === 3, 30)
      const before = await counted()
      await waitFor('its requests', async () => (await counted()) > before + 3)
      assert.ok(await kept())
    }
    server.child.kill('SIGKILL')
    await server.ended
    const before = await counted()
    const next = await startServer(t, metricsServer, { workers, observability, port: server.port })
    assert.equal(next.port, server.port)
    await waitFor('more requests', async () => (await counted()) > before)
    assert.ok(await kept())
    assert.doesNotMatch(await lastHourText(folder), /hunter22/)
  })
}

/** Opens the page of a server that has an hour behind it. */
async function openHour(
  t: Parameters<typeof metricsFolder>[0],
  query: string,
  options: object = {},
): Promise<Page> {
  const folder = metricsFolder(t)
  plantHour(folder)
  const { port } = await serve(t, (server) => {
    server.configure({ observability: { folder } }).mount([ObservabilityRoutes], {})
  })
  const context = await browser.context({ bypassCSP: true, ...options })
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${port}/metrics${query}`)
  return page
}

test('the charts are full when the page is opened for the first time', { skip }, async (t) => {
  const page = await openHour(t, '')
  await waitFor('an hour of requests', () => hasLine(page, 'Request rate'))
  assert.match(
    (await card(page, 'Request rate').getByRole('img').getAttribute('aria-label')) ?? '',
    /^Request rate over the last 60 minutes/,
  )
  assert.equal((await legend(page, 'Request rate'))[0]?.[3], '50.0/s')
  await card(page, 'Routes').getByText('GET /products/:id').waitFor()
  assert.match(await card(page, 'Routes').innerText(), /In the last hour\./)
  await page.getByText('p99 of POST /orders is').waitFor()
  assert.match(await page.locator('#verdict').innerText(), /, since \d\d:\d\d$/m)
  await page.getByRole('link', { name: '5 min', exact: true }).click()
  await card(page, 'Routes').getByText('In the last 5 minutes.').waitFor()
  assert.equal(await page.locator('.ranges [aria-current]').innerText(), '5 min')
  assert.match(await headline(page, 'Request rate'), /\/s$/)
})

test('without JavaScript there are the same numbers as tables', { skip }, async (t) => {
  const page = await openHour(t, '?minutes=15', { javaScriptEnabled: false })
  await page.getByText('p99 of POST /orders is').waitFor()
  await page.getByRole('table', { name: 'Routes in the last 15 minutes' }).waitFor()
  const rows = await page.getByRole('row').allInnerTexts()
  const row = (start: string): string => rows.find((text) => text.startsWith(start)) ?? ''
  assert.match(row('Request rate'), /\s50\.0\/s requests\s+50\.0\/s$/)
  assert.match(row('POST /orders'), /\s4\.50\/s\s.*\s11\.1 %$/)
  assert.equal(await page.getByRole('button').count(), 0)
  assert.equal(await page.locator('.cards').isVisible(), false)
})

test(
  'the verdict and the tables fit, wide and on a phone, and axe finds nothing',
  { skip },
  async (t) => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await openHour(t, '', { javaScriptEnabled })
      await page.getByText('p99 of POST /orders is').waitFor()
      for (const [width, colorScheme] of [
        [1_440, 'light'],
        [320, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await keepScreenshot(page, `metrics-hour-${width}-${javaScriptEnabled}`)
        assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), width)
        if (!javaScriptEnabled) continue
        assert.deepEqual(await violations(page), [])
      }
    }
  },
)
