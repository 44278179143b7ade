import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file name with a fingerprint, taken apart. */
export interface FingerprintedName {
  /** Name of the file, without the fingerprint. */
  readonly name: string
  readonly fingerprint: string
}

const fingerprinted = /^(.*[^/])\.([0-9a-f]{12})(\.[^./]+)?$/

/** The first 48 bits of the SHA-256 digest of a file, in hexadecimal. */
export function fingerprintOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12)
}

/** `app.css` with the fingerprint `3f9c…` is `app.3f9c….css`; the ending stays for its media type. */
export function addFingerprint(name: string, fingerprint: string): string {
  const [, stem = name, ending = ''] = /^(.*[^/])(\.[^./]+)$/.exec(name) ?? []
  return `${stem}.${fingerprint}${ending}`
}

/** The parts of a name with a fingerprint; null for other names. */
export function parseFingerprint(name: string): FingerprintedName | null {
  const [, stem, fingerprint, ending = ''] = fingerprinted.exec(name) ?? []
  if (stem === undefined || fingerprint === undefined) return null
  return { name: `${stem}${ending}`, fingerprint }
}
