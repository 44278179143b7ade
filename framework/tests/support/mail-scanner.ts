import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import { waitFor } from './wait-for.ts'

/** What scanners and browsers send before anybody has clicked a link. */
const requests = [
  { method: 'HEAD' },
  { method: 'GET' },
  { method: 'GET', headers: { 'Sec-Purpose': 'prefetch;prerender' } },
]

/**
 * Does to a link what scanners of mails do: GET and HEAD, opening it in a page whose scripts run, and
 * prerendering it from another page of the site. Resolves with whether the browser did prerender it:
 * not every headless one does.
 */
export async function scanLink(
  context: BrowserContext,
  site: string,
  path: string,
): Promise<boolean> {
  const link = site + path
  for (const request of requests) {
    const answer = await context.request.fetch(link, { ...request, maxRedirects: 0 })
    assert.ok(answer.status() < 400, `${request.method} of the link: ${answer.status()}`)
  }
  const page = await context.newPage()
  await page.goto(link, { waitUntil: 'networkidle' })
  await page.close()
  return prerender(context, site, link)
}

async function prerender(context: BrowserContext, site: string, link: string): Promise<boolean> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const statuses: string[] = []
  session.on('Preload.prerenderStatusUpdated', ({ status }) => statuses.push(status))
  await session.send('Preload.enable')
  // Plain text without a policy, so that the rules can be added.
  await page.goto(`${site}/health`)
  const rules = { prerender: [{ source: 'list', urls: [link], eagerness: 'immediate' }] }
  await page.evaluate(`
    const link = Object.assign(document.createElement('link'), { rel: 'prerender' })
    link.href = ${JSON.stringify(link)}
    const rules = Object.assign(document.createElement('script'), { type: 'speculationrules' })
    rules.textContent = ${JSON.stringify(JSON.stringify(rules))}
    document.head.append(link, rules)`)
  const ended = await waitFor(
    'the end of a prerendering',
    () => statuses.find((status) => status === 'Ready' || status === 'Failure'),
    20,
  ).catch(() => null)
  await page.close()
  return ended === 'Ready'
}
