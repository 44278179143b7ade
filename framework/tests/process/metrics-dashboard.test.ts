import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Emitter } from '../../src/events/emitter.ts'
import { JsonExporter } from '../../src/metrics/exporters/json.ts'
import { Observability } from '../../src/metrics/observability.ts'
import { HttpError } from '../../src/http/errors/http-error.ts'
import type { EventStream } from '../../src/http/live/event-stream.ts'
import { Server } from '../../src/http/server/server.ts'
import { Telemetry } from '../../src/http/observability/telemetry.ts'
import { testBrowser } from '../support/browser.ts'
import { startLoad } from '../support/load.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { serve } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'
import { livelyFeed, MetricsFeed } from './metrics-feed.ts'
import {
  card,
  dashboardRoute,
  drawing,
  hasLine,
  headline,
  legend,
  openDashboard,
  setHidden,
} from './metrics-page.ts'

const browser = testBrowser()
const { skip } = browser
const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }
const schemes = ['light', 'dark'] as const

test('numbers and charts match the documents', { skip }, async (t) => {
  const feed = new MetricsFeed({ failing: () => 0.1 })
  const { page, asked } = await openDashboard(t, browser, () => feed.next())
  await waitFor('a full average', () => asked.count > 10)
  await page.getByText('Pause').click()
  assert.equal(await headline(page, 'Request rate'), '50.0/s')
  assert.deepEqual(await legend(page, 'Request rate'), [
    ['Request rate', '50.0/s', '50.0/s', '50.0/s'],
  ])
  assert.equal(await headline(page, 'Status classes'), '10.0 %')
  assert.deepEqual(
    (await legend(page, 'Status classes')).map(([name, now]) => [name, now]),
    [
      ['1xx', '0/s'],
      ['2xx', '36.0/s'],
      ['3xx', '6.00/s'],
      ['4xx', '3.00/s'],
      ['5xx', '5.00/s'],
    ],
  )
  // Half of all durations are below 20 ms, interpolated linearly inside the bucket from 10 to 25 ms.
  assert.deepEqual((await legend(page, 'Latency'))[0]?.slice(0, 2), ['p50', '20.8 ms'])
  assert.equal(await headline(page, 'Exceptions'), '300/min')
  assert.deepEqual(
    (await legend(page, 'Bytes in and out')).map(([name, now]) => [name, now]),
    [
      ['In', '32.0 kB/s'],
      ['Out', '460 kB/s'],
    ],
  )
  for (const title of ['CPU per worker', 'Memory per worker']) {
    assert.equal((await legend(page, title))[0]?.[0], '4711')
  }
  const plot = card(page, 'Latency').getByRole('img')
  assert.match(
    (await plot.getAttribute('aria-label')) ?? '',
    /^Latency over .*: p50 20\.8 ms, p90 /,
  )
})

test('the charts move with every reading', { skip }, async (t) => {
  const feed = livelyFeed(8)
  const { page, asked } = await openDashboard(t, browser, () => feed.next(), {
    browser: { viewport: desktop },
  })
  for (const title of ['Request rate', 'Latency', 'Event-loop lag', 'Memory per worker']) {
    const before = await waitFor(`a line of ${title}`, async () => {
      const { picture } = await drawing(page, title)
      return (await hasLine(page, title)) ? picture : false
    })
    await waitFor(`another line of ${title}`, async () => {
      const { picture } = await drawing(page, title)
      return picture !== before
    })
  }
  await waitFor('the replaced worker', () => asked.count > 40)
  await page.getByText('Pause').click()
  assert.deepEqual(
    (await legend(page, 'Memory per worker')).map(([name]) => name),
    ['4711', '4712', '4714', '4808', '1 ended'],
  )
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    await keepScreenshot(page, `metrics-${colorScheme}`)
  }
  await page.setViewportSize(phone)
  await sleep(100)
  await keepScreenshot(page, 'metrics-phone')
})

test('the numbers shown are those that a real server counts under load', { skip }, async (t) => {
  const registry = new Observability()
  t.after(() => registry.close())
  const emitter = new Emitter()
  new Telemetry(registry, { emitter }).boot()
  const numbers = (): object => JSON.parse(new JsonExporter().export(registry.gather()))
  const server = new Server({ emitter, reporter: null }).configure({ port: 0, drainTimeout: 0 })
  dashboardRoute(numbers)(server)
  server.router.get('/', (_request, response) => response.text('here'))
  const { port } = await server.listen({ signals: false })
  t.after(() => server.close())
  const context = await browser.context()
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${port}/metrics`)
  const load = startLoad(t, port, '/', 2)
  const first = await waitFor('a rate', async () => {
    const rate = await headline(page, 'Request rate')
    return /^[1-9]/.test(rate) && drawing(page, 'Request rate')
  })
  await waitFor('a moving line', async () => {
    const { picture } = await drawing(page, 'Request rate')
    return picture !== first.picture
  })
  const { answered } = await load.stop()
  await waitFor('all requests', async () => {
    const shown = await page.locator('#fact-requests').innerText()
    return Number(shown.replaceAll(',', '')) >= answered
  })
  assert.equal(await page.locator('#fact-workers').innerText(), '1')
  assert.notEqual((await legend(page, 'Latency'))[2]?.[3], '–')
})

test('the page follows the colour scheme of the browser', { skip }, async (t) => {
  const seen = new Set<string>()
  const feed = livelyFeed()
  const { page } = await openDashboard(t, browser, () => feed.next())
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    // The swatch changes with the style, the canvas only if it is painted again.
    await waitFor('a line in that colour', () => hasLine(page, 'Request rate'))
    seen.add(
      await page.evaluate<string>(
        `getComputedStyle(document.body).backgroundColor +
          getComputedStyle(document.querySelector('.line')).stroke`,
      ),
    )
  }
  assert.equal(seen.size, 2)
})

test(
  'only the document, its modules and the metrics are requested, without errors',
  { skip },
  async (t) => {
    const feed = livelyFeed()
    const { page, port, asked, requests, problems } = await openDashboard(t, browser, () =>
      feed.next(),
    )
    await waitFor('some looks', () => asked.count > 5)
    await card(page, 'Latency').getByRole('img').hover()
    await page.getByRole('searchbox').fill('http')
    assert.equal(await page.locator('#scriptless').isVisible(), false)
    const origin = `http://127.0.0.1:${port}`
    const others = requests.filter((url) => !url.startsWith(`${origin}/metrics/page/`))
    assert.deepEqual([...new Set(others)].toSorted(), [
      `${origin}/metrics`,
      `${origin}/metrics/statements`,
    ])
    assert.deepEqual(problems, [])
  },
)

test(
  'the server sends the metrics as events; if it refuses, the page polls',
  { skip },
  async (t) => {
    const feed = livelyFeed()
    const streams: EventStream[] = []
    let refuses = false
    const { page, asked } = await openDashboard(t, browser, () => feed.next(), {
      events: (response) => {
        if (refuses) throw new HttpError(503)
        const events = response.events()
        const timer = setInterval(() => events.send('metrics', feed.next()), 50)
        events.once('close', () => clearInterval(timer))
        streams.push(events)
        return events
      },
    })
    await waitFor('a line', () => hasLine(page, 'Request rate'))
    assert.equal(await page.locator('#state').innerText(), 'Live')
    // As a worker does that is replaced.
    streams[0]?.end()
    await waitFor('another stream', () => streams.length === 2)
    await setHidden(page, true)
    await waitFor('nobody looking', () => streams[1]?.destroyed)
    await setHidden(page, false)
    await waitFor('somebody looking again', () => streams.length === 3)
    assert.equal(asked.count, 0)
    refuses = true
    streams[2]?.end()
    await waitFor('polls', () => asked.count > 3)
    assert.equal(await page.locator('#state').innerText(), 'Live')
  },
)

test('no two requests for metrics overlap', { skip }, async (t) => {
  const feed = livelyFeed()
  const { asked, page } = await openDashboard(t, browser, async () => {
    await sleep(250)
    return feed.next()
  })
  await waitFor('slow answers', async () => {
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    return asked.count > 4
  })
  assert.equal(asked.most, 1)
})

test(
  'a hidden page requests nothing, and updates at once when it is visible again',
  { skip },
  async (t) => {
    const feed = livelyFeed()
    const { page, asked } = await openDashboard(t, browser, () => feed.next())
    await waitFor('a look', () => asked.count > 2)
    await setHidden(page, true)
    await waitFor('the request under way', () => asked.together === 0)
    const before = asked.count
    await sleep(600)
    assert.ok(asked.count <= before + 1)
    const hidden = asked.count
    await sleep(400)
    assert.equal(asked.count, hidden)
    await setHidden(page, false)
    await waitFor('the looks after it', () => asked.count > hidden + 2)
  },
)

test('it can be paused and resumed, even during a request', { skip }, async (t) => {
  const feed = livelyFeed()
  const { page, asked } = await openDashboard(t, browser, async () => {
    await sleep(300)
    return feed.next()
  })
  await page.getByText('Live').waitFor()
  await waitFor('a request under way', () => asked.together === 1)
  await page.getByRole('button', { name: 'Pause' }).press('Enter')
  await waitFor('its answer', () => asked.together === 0)
  const paused = asked.count
  await sleep(500)
  assert.equal(asked.count, paused)
  assert.equal(await page.locator('#state').innerText(), 'Paused')
  await page.getByRole('button', { name: 'Resume' }).press('Enter')
  await page.getByText('Live').waitFor()
  assert.ok(asked.count > paused)
})

test('if the server is down it says so, polls less often, and recovers', { skip }, async (t) => {
  const feed = new MetricsFeed()
  const { page, port, server, requests } = await openDashboard(t, browser, () => feed.next(), {
    refresh: 0.2,
  })
  await page.getByText('Live').waitFor()
  await server.close()
  const trouble = page.getByText('The server does not respond. Next attempt in')
  await trouble.waitFor()
  const before = requests.length
  await sleep(2_500)
  // After 0.4, 0.8 and 1.6 seconds; without backing off it would be twelve.
  assert.ok(requests.length - before <= 4, `${requests.length - before} requests`)
  await keepScreenshot(page, 'metrics-failing')
  await serve(
    t,
    dashboardRoute(() => feed.next()),
    { port },
  )
  await page.getByText('Live').waitFor()
  await waitFor('a rate again', async () => (await headline(page, 'Request rate')) === '50.0/s')
  assert.equal(await trouble.count(), 0)
})

test('an error response, or one without metrics, is shown as an error', { skip }, async (t) => {
  const feed = new MetricsFeed()
  let numbers: () => object = () => {
    throw new HttpError(503)
  }
  const { page } = await openDashboard(t, browser, () => numbers())
  await page.getByText('The server responded with status 503. Next attempt in').waitFor()
  numbers = () => ['something else']
  await page.getByText('The response has no metrics. Next attempt in').waitFor()
  numbers = () => feed.next()
  await page.getByText('Live').waitFor()
})

test('a response that is too late is shown as an error', { skip }, async (t) => {
  const feed = new MetricsFeed()
  const hanging = { is: false }
  const released = Promise.withResolvers<void>()
  const { page } = await openDashboard(t, browser, async () => {
    if (hanging.is) await released.promise
    return feed.next()
  })
  await page.getByText('Live').waitFor()
  // Ten seconds would be too long for a test.
  await page.evaluate(
    `{ const { timeout } = AbortSignal; AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 50) }`,
  )
  hanging.is = true
  await page.getByText('The server does not respond. Next attempt in').waitFor()
  hanging.is = false
  released.resolve()
  await page.getByText('Live').waitFor()
})

test('a user name and a password in the address do not matter', { skip }, async (t) => {
  const feed = new MetricsFeed()
  const { page, port, problems } = await openDashboard(t, browser, () => feed.next())
  await page.goto(`http://ada:secret@127.0.0.1:${port}/metrics#there`)
  await page.getByText('Live').waitFor()
  assert.deepEqual(problems, [])
})

test('a reset of the counters is not shown as a peak', { skip }, async (t) => {
  const feed = new MetricsFeed()
  const { page, asked } = await openDashboard(t, browser, () => feed.next())
  await waitFor('a while', () => asked.count > 8)
  feed.restart()
  await waitFor('a while after', () => asked.count > 16)
  assert.deepEqual(await legend(page, 'Request rate'), [
    ['Request rate', '50.0/s', '50.0/s', '50.0/s'],
  ])
})

test('pointing at a chart shows the values of that time in all of them', { skip }, async (t) => {
  const start = 1_700_000_000
  const rate = (at: number): number => (at <= start + 20 ? 10 : at <= start + 60 ? 30 : 90)
  const feed = new MetricsFeed({ rate }, 4)
  const { page, asked } = await openDashboard(t, browser, () => feed.next())
  await waitFor('a while', () => asked.count > 24)
  await page.getByText('Pause').click()
  await sleep(300)
  const plot = card(page, 'Latency').getByRole('img')
  const { width = 0 } = (await plot.boundingBox()) ?? {}
  // The plot lies between its labels, and each reading was four seconds of the five minutes.
  // On a busy machine the last readings may not have been drawn: the value there is about 30.
  let shift = 0
  await waitFor('values of then', async () => {
    const ago = 4 * asked.count - 46 - (shift++ % 12)
    await plot.hover({ position: { x: width - 14 - ((width - 76) * ago) / 300, y: 60 } })
    return (await headline(page, 'Request rate')) === '30.0/s'
  })
  const when = card(page, 'Request rate').locator('.when')
  assert.match(await when.innerText(), /^\d\d:\d\d:\d\d$/)
  assert.equal(await page.locator('.u-cursor-x:not(.u-off)').count(), 9)
  await page.mouse.move(0, 0)
  await waitFor('values of now', async () => (await headline(page, 'Request rate')) === '90.0/s')
  assert.equal(await when.innerText(), 'Now')
})
