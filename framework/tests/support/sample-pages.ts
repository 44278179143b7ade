import { join } from 'node:path'
import { after, before } from 'node:test'
import type { TestContext } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { mailSamples, pageSamples, sampleNow, sampleViews } from './page-samples.ts'
import { builtInViews } from '../../src/accounts/module/accounts-module.ts'
import { SecureHeaders } from '../../src/http/middlewares/secure-headers.ts'
import { Statics } from '../../src/http/middlewares/statics.ts'
import { Server } from '../../src/http/server/server.ts'
import { testBrowser } from './browser.ts'

/** The pages of the demo with sample data, for all tests of a file. */
export interface SamplePages {
  /** Why tests that need a browser are skipped; false when they are not. */
  readonly skip: string | false
  /** A new browser context at the time of the samples, closed after the test. */
  readonly context: (t: TestContext, options?: BrowserContextOptions) => Promise<BrowserContext>
  /** Shows a sample in a new page of its own context. */
  readonly open: (t: TestContext, name: string, options?: BrowserContextOptions) => Promise<Page>
  /** Shows a sample in this page. */
  readonly show: (page: Page, name: string) => Promise<void>
  /** The address of a path. */
  readonly url: (path: string) => string
}

/** Serves the samples with the headers and files of the demo. */
export function serveSamples(): SamplePages {
  const browser = testBrowser()
  const server = sampleServer()
  let origin = ''
  before(async () => {
    const { port } = await server.configure({ port: 0, drainTimeout: 0 }).listen({ signals: false })
    origin = `http://127.0.0.1:${port}`
  })
  after(() => server.close())
  const url = (path: string): string => origin + path
  const context = async (
    t: TestContext,
    options: BrowserContextOptions = {},
  ): Promise<BrowserContext> => {
    const made = await browser.context(options)
    t.after(() => made.close())
    await made.clock.setFixedTime(sampleNow * 1000)
    return made
  }
  const show = async (page: Page, name: string): Promise<void> => {
    await page.goto(url(`/samples/${name}`))
  }
  return {
    skip: browser.skip,
    context,
    open: async (t, name, options) => {
      const page = await (await context(t, options)).newPage()
      await show(page, name)
      return page
    },
    show,
    url,
  }
}

function sampleServer(): Server {
  const demo = join(import.meta.dirname, '..', '..', '..', 'demo')
  const views = sampleViews()
  const server = new Server({ environment: 'test', reporter: null }).use(
    new SecureHeaders(),
    new Statics(join(demo, 'public'), { maxAge: 3600 }),
    new Statics(join(builtInViews, '../public'), { maxAge: 3600 }),
  )
  for (const { name, view, data } of pageSamples) {
    server.router.get(`/samples/${name}`, (_request, response) =>
      response.html(views.render(view, data)),
    )
  }
  for (const { name, view, data } of mailSamples) {
    // Mail clients do not set such headers.
    server.router.get(`/samples/${name}`, (_request, response) =>
      response
        .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
        .html(views.render(view, data)),
    )
  }
  // The sign-in page asks at once what to offer in its field.
  server.router.post('/login/passkey/options', () => ({ challenge: 'c2FtcGxl' }))
  server.router.post('/login', async (request) => (await request.form()).fields)
  return server
}
