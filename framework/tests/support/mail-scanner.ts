import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import { waitFor } from './wait-for.ts'

/**
 * Does to a link what scanners of mails do: GET and HEAD, opening it in a page whose scripts run, and
 * prerendering it from another page of the site. Resolves with how the prerendering ended.
 */
export async function scanLink(
  context: BrowserContext,
  site: string,
  path: string,
): Promise<string> {
  const link = site + path
  for (const method of ['HEAD', 'GET', 'GET']) {
    const answer = await context.request.fetch(link, { method, maxRedirects: 0 })
    assert.ok(answer.status() < 400, `${method} of the link: ${answer.status()}`)
  }
  const page = await context.newPage()
  await page.goto(link, { waitUntil: 'networkidle' })
  const prerendered = await prerender(context, site, link)
  await page.close()
  return prerendered
}

async function prerender(context: BrowserContext, site: string, link: string): Promise<string> {
  const page = await context.newPage()
  const rules = JSON.stringify({
    prerender: [{ source: 'list', urls: [link], eagerness: 'immediate' }],
  })
  await page.route(`${site}/scanner`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Scanner</title><link rel="prerender" href="${link}">
        <script type="speculationrules">${rules}</script>`,
    }),
  )
  const session = await context.newCDPSession(page)
  const statuses: string[] = []
  session.on('Preload.prerenderStatusUpdated', ({ status }) => statuses.push(status))
  await session.send('Preload.enable')
  await page.goto(`${site}/scanner`)
  const ended = await waitFor(
    () => `the end of a prerendering, got ${statuses.join()}`,
    () => statuses.find((status) => status === 'Ready' || status === 'Failure'),
  )
  await page.close()
  return ended
}
