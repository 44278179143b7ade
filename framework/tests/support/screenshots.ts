import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Leaves a picture of the whole page for people to judge, in the folder that SCREENSHOTS names. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder === undefined) return
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
