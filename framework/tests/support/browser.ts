import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { installDebianPackage } from './debian-package.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser for the tests of a file. */
export interface TestBrowser {
  /** Why tests that need it are skipped; false when they are not. */
  readonly skip: string | false
  /** An empty session of its own, closed with the browser. */
  context(options?: BrowserContextOptions): Promise<BrowserContext>
}

/**
 * One Chromium for all tests of a file, started when the first one asks and closed after the last:
 * that of CHROMIUM_PATH, else one on the PATH, else the one of the system's packages, which is
 * installed if that can be done.
 */
export function testBrowser(): TestBrowser {
  const { program, reason } = findChromium()
  let browser: Promise<Browser> | null = null
  after(async () => (await browser)?.close())
  return {
    skip: program === null && reason,
    async context(options = {}) {
      browser ??= chromium.launch({ executablePath: program ?? '', headless: true, args: flags })
      return (await browser).newContext(options)
    },
  }
}

interface Found {
  readonly program: string | null
  /** Why there is none. */
  readonly reason: string
}

function findChromium(): Found {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined && given !== '') {
    return existsSync(given)
      ? { program: given, reason: '' }
      : { program: null, reason: `there is no browser at CHROMIUM_PATH, ${given}` }
  }
  const found = onPath()
  if (found !== null) return { program: found, reason: '' }
  const failure = installDebianPackage('chromium') ?? 'the package brought no program'
  return {
    program: onPath(),
    reason: `needs Chromium: set CHROMIUM_PATH or install it (${failure})`,
  }
}

function onPath(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin']
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
    if (found !== undefined) return found
  }
  return null
}
