import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EnvSource } from '../config/env-source.ts'

const maxLength = 200

/**
 * The release of the project in the folder `root`: `APP_RELEASE`, else the `version` of its
 * `package.json`; null if there is neither.
 */
export function releaseOf(root: string, source: EnvSource): string | null {
  const given = clean(source.lookup('APP_RELEASE')?.text)
  return given ?? clean(versionIn(root))
}

function versionIn(root: string): unknown {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const isObject = typeof manifest === 'object' && manifest !== null
    return isObject && 'version' in manifest ? manifest.version : null
  } catch {
    return null
  }
}

/** One short line; null if nothing is left. */
function clean(text: unknown): string | null {
  if (typeof text !== 'string') return null
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line === '' ? null : line.slice(0, maxLength)
}
