import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The accessibility problems that axe finds on a page, with their elements. Content policies block axe,
 * so the browser must have `bypassCSP`. The content of frames is not checked. With `only`, it looks for
 * these rules.
 */
export async function violations(
  page: Page,
  { only }: { only?: readonly string[] } = {},
): Promise<string[]> {
  // It is large: inject it only once per page.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(source)
  const rules = only === undefined ? {} : { runOnly: only }
  const options = JSON.stringify({ iframes: false, resultTypes: ['violations'], ...rules })
  return page.evaluate<string[]>(
    `axe.run(document, ${options}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  )
}
