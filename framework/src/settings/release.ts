import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsedRecord } from '../base/is-record.ts'

/** Whether this can be the name of a release: it is kept with errors, and nobody needs longer ones. */
export function isReleaseName(text: string): boolean {
  return /^[\x21-\x7e]{0,100}$/.test(text)
}

/** The release that runs: the given one, else the version in the project's package.json, else empty. */
export function releaseOf(given: string, root: string): string {
  return given === '' ? versionIn(root) : given
}

function versionIn(root: string): string {
  const { version } = readManifest(root)
  return typeof version === 'string' && isReleaseName(version) ? version : ''
}

/** The `package.json` of a folder; empty where there is none, or somebody is just writing it. */
export function readManifest(root: string): Readonly<Record<string, unknown>> {
  try {
    return parsedRecord(readFileSync(join(root, 'package.json'), 'utf8')) ?? {}
  } catch {
    return {}
  }
}
