import { after } from 'node:test'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { findChromium } from './chromium-program.ts'
import { programMissing } from './test-programs.ts'

/**
 * The popups of the address bar are pages of their own, in each window: without them a test file takes a
 * third less of the CPU. The others are those that Playwright disables, because the last flag counts.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join(',')}`,
]

/** A browser for the tests of a file. */
export interface TestBrowser {
  /** Why tests that need it are skipped; false when they are not. */
  readonly skip: string | false
  /** A new, empty browser context, closed with the browser. */
  context(options?: BrowserContextOptions): Promise<BrowserContext>
}

/** One Chromium for all tests of a file, started on first use and closed after the last test. */
export function testBrowser(): TestBrowser {
  const program = findChromium()
  let browser: Promise<Browser> | null = null
  after(async () => (await browser)?.close())
  return {
    skip: program === null && programMissing('Chromium'),
    async context(options = {}) {
      browser ??= chromium.launch({ executablePath: program ?? '', headless: true, args: flags })
      const context = await (await browser).newContext(options)
      // Only ends what hangs; slow pages on a busy machine are waited for.
      context.setDefaultTimeout(120_000)
      return context
    },
  }
}
