import { existsSync } from 'node:fs'
import { findOnPath } from './find-on-path.ts'

/** The curl named by CURL, else the system's. */
export function findCurl(): string | null {
  const given = process.env['CURL'] ?? ''
  if (given !== '') return existsSync(given) ? given : null
  return findOnPath(['curl'], ['/usr/bin'])
}
