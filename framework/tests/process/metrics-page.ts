import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { EventStream } from '../../src/http/live/event-stream.ts'
import { preferredType } from '../../src/http/request/accept.ts'
import type { Response } from '../../src/http/response/response.ts'
import { metricsDashboard } from '../../src/devtools/metrics-page/metrics-dashboard.ts'
import { declarePageFiles } from '../../src/devtools/metrics-page/page-files.ts'
import type { Server } from '../../src/http/server/server.ts'
import type { TestBrowser } from '../support/browser.ts'
import { serve } from '../support/serve.ts'

/** The response to a request for metrics. */
export type Numbers = () => object | Promise<object>

/** A dashboard in a browser, its server, and a record of both. */
export interface OpenDashboard {
  readonly page: Page
  readonly port: number
  readonly server: Server
  /** The number of requests for metrics, and the maximum of concurrent ones. */
  readonly asked: { count: number; together: number; most: number }
  /** Addresses of everything the page requested. */
  readonly requests: readonly string[]
  /** Console errors and script errors. */
  readonly problems: string[]
}

/** Options of a test. */
export interface DashboardSettings {
  readonly browser?: BrowserContextOptions
  readonly render?: typeof metricsDashboard
  /** Serves the modules of the page and uPlot. */
  readonly files?: typeof declarePageFiles
  readonly refresh?: number
  /** The response to a request for the slowest statements. */
  readonly statements?: Numbers
  /** Sends the metrics as events. @default nobody does: the page polls */
  readonly events?: (response: Response) => EventStream
}

/** Serves a dashboard for the metrics under its real policy, and opens it. */
export async function openDashboard(
  t: TestContext,
  browser: TestBrowser,
  numbers: Numbers,
  settings: DashboardSettings = {},
): Promise<OpenDashboard> {
  const asked = { count: 0, together: 0, most: 0 }
  const { port, server } = await serve(t, dashboardRoute(numbers, asked, settings))
  const context = await browser.context(settings.browser)
  t.after(() => context.close())
  const page = await context.newPage()
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await page.goto(`http://127.0.0.1:${port}/metrics`)
  return { page, port, server, asked, requests, problems }
}

/** A route that serves the page to browsers and metrics to others, as /metrics does. */
export function dashboardRoute(
  numbers: Numbers,
  asked: OpenDashboard['asked'] = { count: 0, together: 0, most: 0 },
  {
    render = metricsDashboard,
    files = declarePageFiles,
    refresh = 0.1,
    statements = () => ({ statements: [] }),
    events,
  }: DashboardSettings = {},
): (server: Server) => void {
  return ({ router }) => {
    files(router)
    const address = events === undefined ? '' : 'metrics/events'
    if (events !== undefined) router.get(`/${address}`, (_request, response) => events(response))
    router.get('/metrics/statements', async (_request, response) =>
      response.json(await statements()),
    )
    router.get('/metrics', async (request, response) => {
      const type = preferredType(request.header('accept'), ['text/html', 'application/json'])
      if (type === 'text/html') {
        const { nonce } = response
        return response
          .header('Content-Security-Policy', policy(nonce))
          .html(render({ nonce, tools: '', refresh, events: address }))
      }
      asked.count += 1
      asked.together += 1
      asked.most = Math.max(asked.most, asked.together)
      try {
        return response.json(await numbers())
      } finally {
        asked.together -= 1
      }
    })
  }
}

/** The section of the page with this chart. */
export function card(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title })
}

/** The number above a chart, with its unit. */
export function headline(page: Page, title: string): Promise<string> {
  return card(page, title).locator('strong').innerText()
}

/** The table in a section of the page, row by row. */
export async function legend(page: Page, title: string): Promise<string[][]> {
  const rows = await card(page, title).locator('tbody tr').all()
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()))
}

/** What a chart shows. */
export interface Drawing {
  readonly picture: string
  /** The number of pixels in the colour of its first line. */
  readonly coloured: number
}

export function drawing(page: Page, title: string): Promise<Drawing> {
  return page.evaluate<Drawing>(`(() => {
    const cards = [...document.querySelectorAll('.card')]
    const card = cards.find((one) => one.querySelector('h2').textContent === ${JSON.stringify(title)})
    const canvas = card.querySelector('canvas')
    const swatch = card.querySelector('.swatch .line')
    if (canvas === null || swatch === null) return { picture: '', coloured: 0 }
    const wanted = getComputedStyle(swatch).stroke.match(/\\d+/g).map(Number)
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let coloured = 0
    for (let at = 0; at < data.length; at += 4) {
      if (wanted.every((value, part) => data[at + part] === value)) coloured += 1
    }
    return { picture: canvas.toDataURL(), coloured }
  })()`)
}

/** Whether a line is drawn: more than its marks. */
export async function hasLine(page: Page, title: string): Promise<boolean> {
  return (await drawing(page, title)).coloured > 60
}

/** Makes the page believe that it is in the background, or no longer. */
export function setHidden(page: Page, hidden: boolean): Promise<unknown> {
  return page.evaluate(
    `Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} })
    document.dispatchEvent(new Event('visibilitychange'))`,
  )
}

function policy(nonce: string): string {
  return (
    `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; ` +
    `connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  )
}
