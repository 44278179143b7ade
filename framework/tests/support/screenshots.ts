import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Saves a screenshot of the whole page in the folder named by SCREENSHOTS. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder === undefined) return
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
