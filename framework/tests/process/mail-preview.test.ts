import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { FileLane } from '../../src/mail/file-lane.ts'
import { Mailer } from '../../src/mail/mailer.ts'
import { Message } from '../../src/mail/message.ts'
import { SecureHeaders } from '../../src/http/middlewares/secure-headers.ts'
import { MailPreview } from '../../src/devtools/mail-preview/mail-preview.ts'
import { Server } from '../../src/http/server/server.ts'
import { violations } from '../support/axe.ts'
import { testBrowser } from '../support/browser.ts'
import { keepScreenshot } from '../support/screenshots.ts'

const browser = testBrowser()
const { skip } = browser
const phone = { width: 390, height: 844 }

// Attacks from inside a mail: running scripts, loading resources, navigating, reaching the outer page.
const hostile = `<!doctype html><html><head><style>h1 { color: rgb(1, 2, 3) }</style>
<meta http-equiv="refresh" content="0; url=/stolen/refresh"></head><body>
<h1>Hello Ada</h1><a id="link" href="/verified">Verify your e-mail</a>
<a id="top" href="/stolen/top" target="_top">Leave</a>
<script>document.title = 'ran'; parent.document.title = 'ran'</script>
<img src="/stolen/image" onerror="document.title = 'ran'"><img src="cid:logo" id="logo">
<link rel="stylesheet" href="/stolen/style"><iframe src="/stolen/frame"></iframe>
<form action="/stolen/form"><button>Send</button></form></body></html>`

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

interface Opened {
  readonly page: Page
  /** Paths of all requests to the server. */
  readonly requests: readonly string[]
  readonly url: string
}

async function open(t: TestContext, options: BrowserContextOptions = {}): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'mail-preview-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const mailer = new Mailer(new FileLane(folder, { clock: () => 1_700_000_000 }), {
    preview: { folder, remote: false },
  })
  await mailer.deliver(
    new Message({
      to: 'Ada Lovelace <ada@example.org>',
      subject: 'Verify your e-mail',
      text: 'Hello Ada,\n\nopen http://127.0.0.1/verified/text to verify.\n',
      html: hostile,
      attachments: [
        { name: 'logo.png', content: picture, cid: 'logo' },
        { name: 'terms.pdf', content: 'pdf' },
      ],
    }),
  )
  const requests: string[] = []
  const server = new Server({ environment: 'development', reporter: null })
    .use(new SecureHeaders(), (request, _response, next) => {
      // What the list loads for itself.
      if (!/^\/mails\/(?:page|events)/.test(request.path)) requests.push(request.path)
      return next()
    })
    .mount([MailPreview], { mailer })
  server.router.get('/verified', () => 'verified')
  const { port } = await server.configure({ port: 0, drainTimeout: 0 }).listen({ signals: false })
  t.after(() => server.close())
  const context = await browser.context(options)
  t.after(() => context.close())
  const page = await context.newPage()
  const url = `http://127.0.0.1:${port}`
  await page.goto(`${url}/mails`)
  return { page, requests, url }
}

async function openMail(opened: Opened): Promise<void> {
  await opened.page.getByRole('link', { name: 'Verify your e-mail' }).click()
  await opened.page.frameLocator('iframe').getByRole('heading', { name: 'Hello Ada' }).waitFor()
}

test(
  'a mail is shown in a frame that can neither run scripts, load anything nor navigate',
  { skip },
  async (t) => {
    const opened = await open(t)
    const { page, requests } = opened
    await openMail(opened)
    await page.waitForLoadState('networkidle')
    const frame = page.frameLocator('iframe')
    assert.equal(await page.title(), 'Verify your e-mail')
    const colour = `getComputedStyle(document.querySelector('h1')).color`
    const [, inner] = page.frames()
    assert.equal(await inner?.evaluate<string>(colour), 'rgb(1, 2, 3)')
    assert.equal(
      await inner?.evaluate<number>(`document.querySelector('#logo').naturalWidth`),
      1,
      'an embedded image of the mail is shown',
    )
    await frame.locator('#top').click()
    await page.waitForTimeout(100)
    assert.deepEqual(requests, ['/mails', '/mails/1700000000-0001', '/mails/1700000000-0001/html'])
  },
)

test('a link in a mail opens in a new window, without a referrer', { skip }, async (t) => {
  const opened = await open(t)
  const { page } = opened
  await openMail(opened)
  const popup = page.context().waitForEvent('page')
  await page.frameLocator('iframe').locator('#link').click()
  const other = await popup
  await other.waitForLoadState()
  assert.match(other.url(), /\/verified$/)
  assert.equal(await other.innerText('body'), 'verified')
  assert.equal(await other.evaluate<string>('document.referrer'), '')
  assert.equal(await other.evaluate<boolean>('window.opener === null'), true)
  assert.match(page.url(), /\/mails\//)
})

test('the HTML of a mail opened alone has the same restrictions', { skip }, async (t) => {
  const { page, requests, url } = await open(t)
  await page.goto(`${url}/mails/1700000000-0001/html`, { waitUntil: 'networkidle' })
  assert.equal(await page.innerText('h1'), 'Hello Ada')
  assert.notEqual(await page.title(), 'ran')
  assert.equal(await page.evaluate<string>('self.origin'), 'null')
  assert.deepEqual(requests, ['/mails', '/mails/1700000000-0001/html'])
})

test(
  'it follows the colour scheme of the browser, and axe finds no violations',
  { skip },
  async (t) => {
    const grounds = new Set<string>()
    for (const colorScheme of ['light', 'dark'] as const) {
      // The content security policy of the page would block axe.
      const opened = await open(t, { colorScheme, bypassCSP: true })
      const { page } = opened
      grounds.add(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'))
      assert.deepEqual(await violations(page), [])
      await keepScreenshot(page, `mails-list-${colorScheme}`)
      await page.getByRole('link', { name: 'Verify your e-mail' }).click()
      // Mails are designed for a white background, whatever the colour scheme.
      const paper = `getComputedStyle(document.querySelector('iframe')).backgroundColor`
      assert.equal(await page.evaluate<string>(paper), 'rgb(255, 255, 255)')
      await page.getByText('All headers').click()
      assert.deepEqual(await violations(page), [])
      await keepScreenshot(page, `mails-mail-${colorScheme}`)
      await page.setViewportSize(phone)
      assert.deepEqual(await violations(page), [])
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(width <= phone.width, `${width} pixels wide`)
      await keepScreenshot(page, `mails-phone-${colorScheme}`)
    }
    assert.equal(grounds.size, 2)
  },
)
