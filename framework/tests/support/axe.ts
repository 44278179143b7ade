import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds wrong with a page, each with the elements it is about. Content policies keep axe
 * out, so the browser must be one with `bypassCSP`. What is inside of frames is not judged.
 */
export async function violations(page: Page): Promise<string[]> {
  // It is large: a page that is judged again has it already.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(source)
  return page.evaluate<string[]>(
    `axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  )
}
