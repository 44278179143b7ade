import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import { invalidArgument } from '../errors.ts'
import { der } from './der.ts'

/** Options of `selfSigned`. */
export interface SelfSignedOptions {
  /** Host names and addresses; the first one is the subject. @default localHosts */
  readonly hosts?: readonly string[]
  /** Days of validity, at most 397: browsers reject longer ones. @default 397 */
  readonly days?: number
  readonly now?: Date
}

/** A private key and its certificate, both PEM. */
export interface KeyAndCertificate {
  readonly key: string
  readonly cert: string
}

/** The names and addresses of the local machine. */
export const localHosts: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '::1'])

const maxDays = 397
const ecdsaWithSha256 = der.sequence(der.oid('1.2.840.10045.4.3.2'))

/**
 * Creates a P-256 key and a self-signed certificate for local development; clients must be told to
 * trust it. It is not a CA, so trusting it trusts no other certificate.
 * @throws InvalidArgumentException without hosts, or for days outside 1 to 397.
 */
export function selfSigned(options: SelfSignedOptions = {}): KeyAndCertificate {
  const { hosts = localHosts, days = maxDays, now = new Date() } = options
  const [subject] = hosts
  if (subject === undefined) {
    throw invalidArgument('a certificate needs at least one host')
  }
  if (!Number.isInteger(days) || days < 1 || days > maxDays) {
    throw invalidArgument(`a certificate must be valid for 1 to ${maxDays} days, got ${days}`)
  }
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = certificateBody(publicKey, subject, hosts, validity(now, days))
  const signature = sign('sha256', body, privateKey)
  const certificate = der.sequence(body, ecdsaWithSha256, der.bits(signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(certificate),
  }
}

function certificateBody(
  publicKey: KeyObject,
  subject: string,
  hosts: readonly string[],
  valid: Buffer,
): Buffer {
  const name = der.sequence(der.set(der.sequence(der.oid('2.5.4.3'), der.text(subject))))
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' })
  const versionThree = der.tagged(0, der.integer(Buffer.of(2)), true)
  return der.sequence(
    versionThree,
    der.integer(randomBytes(16)),
    ecdsaWithSha256,
    name,
    valid,
    name,
    publicKeyInfo,
    der.tagged(3, extensions(hosts, publicKeyInfo), true),
  )
}

function validity(now: Date, days: number): Buffer {
  // A little into the past, for clients whose clock is behind.
  const from = new Date(now.getTime() - 300_000)
  return der.sequence(der.time(from), der.time(new Date(from.getTime() + days * 86_400_000)))
}

function extensions(hosts: readonly string[], publicKeyInfo: Uint8Array): Buffer {
  const digitalSignature = der.bits(Buffer.of(0x80), 7)
  const serverAuth = der.oid('1.3.6.1.5.5.7.3.1')
  const keyId = createHash('sha256').update(publicKeyInfo).digest().subarray(0, 20)
  return der.sequence(
    extension('2.5.29.17', der.sequence(...hosts.map(alternativeName))),
    // Not a CA, which is the default: an empty sequence.
    extension('2.5.29.19', der.sequence(), true),
    extension('2.5.29.15', digitalSignature, true),
    extension('2.5.29.37', der.sequence(serverAuth)),
    extension('2.5.29.14', der.octets(keyId)),
  )
}

function extension(oid: string, value: Buffer, critical = false): Buffer {
  const flag = critical ? [der.boolean(true)] : []
  return der.sequence(der.oid(oid), ...flag, der.octets(value))
}

function alternativeName(host: string): Buffer {
  if (isIP(host) === 0) return der.tagged(2, Buffer.from(host, 'latin1'), false)
  return der.tagged(7, isIPv4(host) ? Buffer.from(host.split('.').map(Number)) : ipv6(host), false)
}

function ipv6(address: string): Buffer {
  // URL normalises every notation, even with a trailing IPv4 address, to groups of hex digits.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const front = groups(head)
  const back = groups(tail ?? '')
  const gap = Array.from({ length: 8 - front.length - back.length }, () => 0)
  const bytes = Buffer.alloc(16)
  for (const [at, group] of [...front, ...gap, ...back].entries())
    bytes.writeUInt16BE(group, at * 2)
  return bytes
}

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
