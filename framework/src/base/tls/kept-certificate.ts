import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { explainUnwritable } from '../files/explain-unwritable.ts'
import { privateFile, privateFolder, tighten } from '../files/private-files.ts'
import { localHosts, selfSigned } from './self-signed.ts'
import type { KeyAndCertificate } from './self-signed.ts'

const dayMs = 86_400_000

/**
 * The self-signed certificate stored in `folder` (one file, readable by its owner only). A new one is
 * created when there is none, when it expires within a day, or when it does not cover every host.
 * @throws ConfigurationError E_UNWRITABLE when the folder cannot be written to.
 */
export function keptCertificate(
  folder: string,
  hosts: readonly string[] = localHosts,
  now: Date = new Date(),
): KeyAndCertificate {
  // Key and certificate share a file, so that two processes cannot mix theirs up.
  const path = join(folder, 'local.pem')
  const kept = readPair(path)
  if (kept !== null && isValidFor(kept, hosts, now)) return kept
  const made = selfSigned({ hosts, now })
  try {
    mkdirSync(folder, { recursive: true, mode: privateFolder })
    const fresh = `${path}.${process.pid}`
    writeFileSync(fresh, made.key + made.cert, { mode: privateFile })
    renameSync(fresh, path)
  } catch (error) {
    throw explainUnwritable(error, folder)
  }
  return made
}

function readPair(path: string): KeyAndCertificate | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
    tighten(path, privateFile)
  } catch {
    return null
  }
  const key = block(text, 'PRIVATE KEY')
  const cert = block(text, 'CERTIFICATE')
  return key === null || cert === null ? null : { key, cert }
}

function block(text: string, label: string): string | null {
  const form = new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----\n`)
  return form.exec(text)?.[0] ?? null
}

function isValidFor(
  { key, cert }: KeyAndCertificate,
  hosts: readonly string[],
  now: Date,
): boolean {
  try {
    const certificate = new X509Certificate(cert)
    const covers = (host: string): boolean =>
      (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined
    return (
      Date.parse(certificate.validTo) > now.getTime() + dayMs &&
      Date.parse(certificate.validFrom) <= now.getTime() &&
      hosts.every(covers) &&
      certificate.checkPrivateKey(createPrivateKey(key))
    )
  } catch {
    // The file does not contain a certificate.
    return false
  }
}
