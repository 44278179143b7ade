import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const sessions = new WeakMap<Page, Promise<CDPSession>>()

/**
 * The accessibility problems that axe finds on a page, with their elements. The content of frames is not
 * checked. With `only`, it looks for these rules.
 */
export async function violations(
  page: Page,
  { only }: { only?: readonly string[] } = {},
): Promise<string[]> {
  // It is large: inject it only once per page.
  if (!(await evaluate(page, `'axe' in window`))) await evaluate(page, source)
  const rules = only === undefined ? {} : { runOnly: only }
  // Elements are told by their HTML; the rules that load files again are off, or find no violations.
  const spared = { iframes: false, selectors: false, preload: false }
  const options = JSON.stringify({ ...spared, resultTypes: ['violations'], ...rules })
  const found = await evaluate(
    page,
    `axe.run(document, ${options}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  )
  if (!Array.isArray(found)) throw new Error(`axe found ${JSON.stringify(found)}`)
  return found.map(String)
}

/** Evaluates in a page, whatever its content policy: that of Playwright itself would be blocked by it. */
async function evaluate(page: Page, expression: string): Promise<unknown> {
  const session = await sessionOf(page)
  const answer = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  })
  const { exception, text = '' } = answer.exceptionDetails ?? {}
  if (answer.exceptionDetails !== undefined) throw new Error(exception?.description ?? text)
  return answer.result.value
}

function sessionOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page)
  if (known !== undefined) return known
  const made = page.context().newCDPSession(page)
  sessions.set(page, made)
  return made
}
