import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Cookie, Locator, Page } from 'playwright-core'
import type { TestBrowser } from './browser.ts'

/** Where somebody comes from, and what is expected of the visit. */
export interface VisitorOptions extends BrowserContextOptions {
  /** The address that limits count; without one the visitor sits at the machine of the server. */
  readonly peer?: string
  /** Statuses from 400 on that belong to the visit; any other one fails the test. */
  readonly refusals?: readonly number[]
}

/**
 * Somebody with a browser of their own. When the test ends, nothing may have gone wrong in it: no
 * error in the console, nothing that the policy of a page refused, no request to another site.
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
    { peer, refusals = [], ...options }: VisitorOptions = {},
  ): Promise<Visitor> {
    const headers = peer === undefined ? {} : { extraHTTPHeaders: { 'X-Forwarded-For': peer } }
    const context = await browser.context({ ...options, ...headers })
    const problems = watch(context, url, refusals)
    t.after(async () => {
      await context.close()
      assert.deepEqual(problems, [])
    })
    return new Visitor(context, await context.newPage(), url)
  }

  /** The path of the page that is open. */
  get path(): string {
    return new URL(this.page.url()).pathname
  }

  /** What came of the last step, as the page says it. */
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

  /** Presses the button of the page itself, not one of the navigation, with that name. */
  async press(name: string): Promise<void> {
    await this.page.locator('main').getByRole('button', { name, exact: true }).click()
  }

  async follow(name: string): Promise<void> {
    await this.page.getByRole('link', { name, exact: true }).first().click()
  }

  /** Asserts that the page that comes is at this path and says this. */
  async sees(path: string, message: string): Promise<void> {
    // By the message, not by the path: a form that is refused comes back at its own.
    const said = this.message.filter({ hasText: message })
    await said.waitFor().catch(() => {})
    const found = { path: this.path, message: (await this.message.allInnerTexts()).join().trim() }
    assert.deepEqual(found, { path, message })
  }

  /** What a browser still has when it was closed: the cookies that are to last. */
  async lastingCookies(): Promise<Cookie[]> {
    return (await this.context.cookies()).filter(({ expires }) => expires !== -1)
  }
}

/** A record of what should not happen in a browser. */
function watch(context: BrowserContext, url: string, refusals: readonly number[]): string[] {
  const problems: string[] = []
  context.on('console', (message) => {
    // A status that is expected is an error in the console all the same.
    if (message.text().startsWith('Failed to load resource')) return
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(error.error().message))
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== url && protocol !== 'data:') problems.push(`asked for ${request.url()}`)
  })
  context.on('response', (answer) => {
    const status = answer.status()
    if (status >= 400 && !refusals.includes(status)) problems.push(`${status} ${answer.url()}`)
  })
  return problems
}
