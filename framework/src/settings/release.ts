import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../base/is-record.ts'

/** Whether this can be the name of a release: it is kept with errors, and nobody needs longer ones. */
export function isReleaseName(text: string): boolean {
  return /^[\x21-\x7e]{0,100}$/.test(text)
}

/** The release that runs: the given one, else the version in the project's package.json, else empty. */
export function releaseOf(given: string, root: string): string {
  return given === '' ? versionIn(root) : given
}

function versionIn(root: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const version = isRecord(manifest) ? manifest['version'] : ''
    return typeof version === 'string' && isReleaseName(version) ? version : ''
  } catch {
    // A project needs no package.json.
    return ''
  }
}
