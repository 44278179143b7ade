import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { demoAccount, startDemo } from '../support/demo-site.ts'
import { Visitor } from '../support/visitor.ts'
import { goodPassword, openMail, register, signIn } from './demo-steps.ts'

/**
 * The screenshots of the documentation. `SCREENSHOTS=docs/images npm test -- demo-screenshots` updates
 * them; look at them before you commit them.
 */
const pictures = {
  account: 'dark',
  error: 'dark',
  home: 'light',
  inspected: 'dark',
  inspector: 'light',
  items: 'light',
  mail: 'light',
  'metrics-routes': 'light',
  metrics: 'dark',
  openapi: 'light',
} as const

const folder = process.env['SCREENSHOTS']
const agents = {
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  office: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

// Other tests check the pages; screenshots are only made on request.
if (folder !== undefined) {
  const browser = testBrowser()
  const { url } = await startDemo()
  test('screenshots are made', { skip: browser.skip }, async (t) => {
    const viewport = { width: 1280, height: 800 }
    const developer = await Visitor.arrive(t, browser, url, { viewport, refusals: [401, 500] })
    const { page } = developer
    const keep = async (name: keyof typeof pictures): Promise<void> => {
      await page.emulateMedia({ colorScheme: pictures[name] })
      await page.screenshot({ path: join(folder, `${name}.png`) })
    }

    await developer.open('/')
    await keep('home')
    await developer.open('/items?order=name')
    await keep('items')
    await developer.open('/error')
    await keep('error')

    const phone = { peer: '192.0.2.44', userAgent: agents.phone }
    await signIn(await Visitor.arrive(t, browser, url, phone), demoAccount, { remember: true })
    const office = { peer: '198.51.100.7', userAgent: agents.office }
    await signIn(await Visitor.arrive(t, browser, url, office), demoAccount)
    await signIn(developer, demoAccount, { remember: true })
    await developer.sees('/account', 'Welcome back!')
    await developer.open('/account')
    await keep('account')

    const newcomer = await Visitor.arrive(t, browser, url, { peer: '203.0.113.5' })
    await register(newcomer, { email: 'ada@example.org', password: goodPassword })
    await openMail(developer, 'ada@example.org', 'Verify your e-mail')
    await keep('mail')

    await developer.open('/inspect')
    await page.locator('#rows a', { hasText: 'POST /register' }).waitFor()
    await keep('inspector')
    await page.locator('#rows a', { hasText: 'POST /register' }).click()
    await page.getByRole('heading', { name: /^Timeline/ }).waitFor()
    await keep('inspected')

    await developer.open('/openapi')
    const order = page.locator('details', { hasText: '/api/items/{id}/orders' })
    await order.locator('summary').first().click()
    await order.getByRole('button', { name: 'Send POST' }).click()
    await order.getByText('401 Unauthorized').waitFor()
    await page.emulateMedia({ colorScheme: pictures.openapi })
    await page.screenshot({ path: join(folder, 'openapi.png'), fullPage: true })

    await developer.open('/metrics')
    // Long enough to draw a line.
    for (let second = 0; second < 90; second += 1) {
      const busy = 8 + Math.round(6 * Math.sin(second / 5))
      await Promise.all(
        Array.from({ length: busy }, (_, at) => fetch(`${url}/${at % 9 === 0 ? 'x' : 'items'}`)),
      )
      await page.waitForTimeout(1_000)
    }
    await keep('metrics')
    await page.evaluate(`document.querySelector('#routes').scrollIntoView()`)
    await keep('metrics-routes')
  })
}

test('the documentation uses exactly these screenshots', () => {
  const images = join(import.meta.dirname, '..', '..', '..', 'docs', 'images')
  assert.deepEqual(
    readdirSync(images)
      .filter((name) => name.endsWith('.png'))
      .toSorted(),
    Object.keys(pictures)
      .map((name) => `${name}.png`)
      .toSorted(),
  )
})
