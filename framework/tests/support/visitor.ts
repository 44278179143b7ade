import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Cookie, Locator, Page } from 'playwright-core'
import type { TestBrowser } from './browser.ts'

/** Options of a visit. */
export interface VisitorOptions extends BrowserContextOptions {
  /** The address that rate limits count. @default the server's own machine */
  readonly peer?: string
  /** Expected statuses of 400 and above; any other fails the test. */
  readonly refusals?: readonly number[]
  /** Other origins whose pages it opens; a request to any further one fails the test. */
  readonly others?: readonly string[]
}

/**
 * A visitor with a browser. When the test ends, nothing may have gone wrong in it: no
 * console errors, no violations of a page's policy, no requests to other sites.
 */
export class Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly #url: string

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.context = context
    this.page = page
    this.#url = url
  }

  /** Opens an empty browser for a site. */
  static async arrive(
    t: TestContext,
    browser: TestBrowser,
    url: string,
    { peer, refusals = [], others = [], ...options }: VisitorOptions = {},
  ): Promise<Visitor> {
    const headers = peer === undefined ? {} : { extraHTTPHeaders: { 'X-Forwarded-For': peer } }
    const context = await browser.context({ ...options, ...headers })
    const problems = watch(context, [url, ...others], refusals)
    t.after(async () => {
      await context.close()
      assert.deepEqual(problems, [])
    })
    return new Visitor(context, await context.newPage(), url)
  }

  /** The path of the current page. */
  get path(): string {
    return new URL(this.page.url()).pathname
  }

  /** The flash message on the page. */
  get message(): Locator {
    return this.page.locator('.flash')
  }

  /** The heading of the page. */
  get heading(): Locator {
    return this.page.getByRole('heading', { level: 1 })
  }

  async open(path: string): Promise<void> {
    await this.page.goto(this.#url + path)
  }

  /** Fills in the fields with these labels. */
  async fillIn(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      await this.page.getByLabel(label, { exact: true }).fill(value)
    }
  }

  /** Presses the button with this name in the page, not in the navigation. */
  async press(name: string): Promise<void> {
    await this.page.locator('main').getByRole('button', { name, exact: true }).click()
  }

  async follow(name: string): Promise<void> {
    await this.page.getByRole('link', { name, exact: true }).first().click()
  }

  /** Asserts that the next page is at this path and shows this message. */
  async sees(path: string, message: string): Promise<void> {
    // By the message, not by the path: a refused form returns to its own path.
    const said = this.message.filter({ hasText: message })
    await said.waitFor().catch(() => {})
    // A message is read before the style has come, and boxes without it are small.
    await this.page.waitForLoadState()
    const found = { path: this.path, message: (await this.message.allInnerTexts()).join().trim() }
    assert.deepEqual(found, { path, message })
  }

  /** Closes the browser and keeps only its persistent cookies. */
  async lastingCookies(): Promise<Cookie[]> {
    return (await this.context.cookies()).filter(({ expires }) => expires !== -1)
  }
}

/** Records what should not happen in a browser. */
function watch(
  context: BrowserContext,
  origins: readonly string[],
  refusals: readonly number[],
): string[] {
  const problems: string[] = []
  context.on('console', (message) => {
    // The console reports expected statuses as errors too.
    if (message.text().startsWith('Failed to load resource')) return
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(error.error().message))
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (!origins.includes(origin) && protocol !== 'data:')
      problems.push(`asked for ${request.url()}`)
  })
  context.on('response', (answer) => {
    const status = answer.status()
    if (status >= 400 && !refusals.includes(status)) problems.push(`${status} ${answer.url()}`)
  })
  return problems
}
