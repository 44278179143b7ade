import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readMail } from '../../src/mail/read-mail.ts'
import { linkIn } from '../../src/mail/mail-testing.ts'
import { testBrowser } from '../support/browser.ts'
import { demoAccount, startDemo } from '../support/demo-site.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { Visitor } from '../support/visitor.ts'
import { waitFor } from '../support/wait-for.ts'

const browser = testBrowser()
const { skip } = browser
const site = await startDemo()
const { email } = demoAccount
const subject = 'Your sign-in code'
const sent = 'If that e-mail has an account, we sent a code to it.'

/** What reached the site: method, path and purpose. */
const seen: string[] = []
const relay = createServer(forward)
relay.listen(0, '127.0.0.1')
await once(relay, 'listening')
after(() => {
  relay.close()
  relay.closeAllConnections()
})
const address = relay.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

function forward(from: IncomingMessage, to: ServerResponse): void {
  const { method = '', url: path = '', headers } = from
  if (path.startsWith('/preview/')) {
    to.writeHead(200, { 'content-type': 'text/html' }).end(previewOf(path.slice(8)))
    return
  }
  seen.push(`${method} ${path} ${String(headers['sec-purpose'] ?? '')}`.trim())
  const passed = request(new URL(path, site.url), { method, headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(to)
  })
  passed.on('error', () => to.destroy())
  from.pipe(passed)
}

const pressEverything = `(async () => {
  for (const form of document.forms) {
    const body = form.method === 'post' ? { body: new FormData(form) } : {}
    await fetch(form.action, { method: form.method, ...body })
  }
  await fetch(location.href, { method: 'POST' })
})()`

/** Asks for the nth mail to the demo account, and reads it. */
async function ask(visitor: Visitor, nth: number): Promise<{ code: string; link: string }> {
  await visitor.open('/login')
  await visitor.follow('Sign in by mail')
  await visitor.fillIn({ 'E-mail': email })
  await visitor.press('Send the code')
  await visitor.sees('/login/mail/code', sent)
  return read(nth)
}

/** Waits for the nth mail to the demo account. */
function read(nth: number): Promise<{ code: string; link: string }> {
  return waitFor(
    `mail ${nth}`,
    async () => {
      const files = globSync('storage/mails/*.eml', { cwd: site.folder }).toSorted()
      const mails = files.map((file) => readMail(readFileSync(join(site.folder, file))))
      const own = (await Promise.all(mails)).filter((mail) => mail.header('subject') === subject)
      const mail = own[nth - 1]
      if (mail === undefined) return false
      return { code: /^ {4}(\d{6})$/m.exec(mail.text ?? '')?.[1] ?? '', link: linkIn(mail) }
    },
    30,
  )
}

/** A page that has the browser prefetch and prerender a link. */
function previewOf(link: string): string {
  const rules = ['prefetch', 'prerender'].map((way) => ({
    [way]: [{ urls: [link], eagerness: 'immediate' }],
  }))
  const scripts = rules.map(
    (rule) => `<script type="speculationrules">${JSON.stringify(rule)}</script>`,
  )
  return `<!doctype html><title>Mail</title><link rel="icon" href="data:,">${scripts.join('')}`
}

/** Has the browser of a visitor open a link by itself, as some do before a click. */
async function prerender({ page }: Visitor, link: string): Promise<void> {
  const before = seen.length
  await page.goto(`${url}/preview${link}`)
  const isOpened = (): boolean =>
    seen.slice(before).some((line) => line.startsWith(`GET ${link} prefetch`))
  await waitFor('the browser to open the link by itself', isOpened, 30)
}

test(
  'a mail scanner that opens, prerenders and scripts the link leaves link and code alive',
  { skip },
  async (t) => {
    const asker = await Visitor.arrive(t, browser, url, { peer: '127.0.0.60' })
    const scanner = await Visitor.arrive(t, browser, url, {
      peer: '127.0.0.61',
      bypassCSP: true,
      refusals: [403],
    })
    for (const [nth, ending] of [
      [1, 'code'],
      [2, 'link'],
    ] as const) {
      const { code, link } = await ask(asker, nth)
      for (const method of ['HEAD', 'GET', 'OPTIONS']) {
        await scanner.context.request.fetch(`${url}${link}`, { method })
      }
      await scanner.open(link)
      assert.equal(await scanner.heading.innerText(), 'Go back to your browser')
      // Its script presses what it finds, and posts to the address itself.
      await scanner.page.evaluate(pressEverything)
      await prerender(scanner, link)
      // Even where the mailbox is open in the browser that asked.
      await prerender(asker, link)
      await asker.open(ending === 'code' ? '/login/mail/code' : link)
      if (ending === 'code') await asker.fillIn({ Code: code })
      await asker.press('Sign in')
      await asker.sees('/account', 'Welcome back!')
      await scanner.open('/account')
      assert.equal(scanner.path, '/login')
      await asker.open('/account')
      await asker.page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
      await asker.sees('/login', 'Signed out.')
    }
  },
)

test('without scripts, on a phone, everything is done with the keyboard', { skip }, async (t) => {
  const visitor = await Visitor.arrive(t, browser, url, {
    peer: '127.0.0.62',
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  })
  const { keyboard } = visitor.page
  const reach = async (selector: string): Promise<void> => {
    const wanted = visitor.page.locator(`${selector}:focus`)
    for (let steps = 0; steps < 40 && (await wanted.count()) === 0; steps += 1) {
      await keyboard.press('Tab')
    }
    assert.equal(await wanted.count(), 1, `${selector} cannot be reached`)
  }
  await visitor.open('/login/mail')
  await reach('#email')
  await keyboard.type(email)
  await keyboard.press('Enter')
  await visitor.sees('/login/mail/code', sent)
  await keepScreenshot(visitor.page, 'mail-code-narrow')
  const { code } = await read(3)
  await reach('#code')
  await keyboard.type(code === '000000' ? '111111' : '000000')
  await keyboard.press('Enter')
  await visitor.sees(
    '/login/mail/code',
    'This code is wrong or no longer valid. You can ask for a new one.',
  )
  await reach('#code')
  await keyboard.type(code)
  await keyboard.press('Enter')
  await visitor.sees('/account', 'Welcome back!')
})
