import { existsSync } from 'node:fs'
import { findOnPath } from './find-on-path.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The browser at CHROMIUM_PATH, else the system's. */
export function findChromium(): string | null {
  const given = process.env['CHROMIUM_PATH'] ?? ''
  if (given !== '') return existsSync(given) ? given : null
  return findOnPath(names, ['/usr/bin'])
}
