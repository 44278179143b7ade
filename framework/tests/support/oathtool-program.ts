import { existsSync } from 'node:fs'
import { findOnPath } from './find-on-path.ts'

/** The oathtool named by OATHTOOL, else the system's. */
export function findOathtool(): string | null {
  const given = process.env['OATHTOOL'] ?? ''
  if (given !== '') return existsSync(given) ? given : null
  return findOnPath(['oathtool'], ['/usr/bin'])
}
