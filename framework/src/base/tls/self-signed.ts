import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import { invalidArgument } from '../errors.ts'
import { groupsOf } from '../network.ts'

interface SelfSignedOptions {
  /** Host names and addresses; the first one is the subject. @default localHosts */
  readonly hosts?: readonly string[]
  readonly now?: Date
}

/** A private key and its certificate, both PEM. */
export interface KeyAndCertificate {
  readonly key: string
  readonly cert: string
}

/** The names and addresses of the local machine. */
export const localHosts: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '::1'])

/** Browsers reject longer ones. */
const validDays = 397

/** What is the same in every certificate, in DER. */
const parts = {
  version3: bytes('a003020102'),
  ecdsaWithSha256: bytes('300a06082a8648ce3d040302'),
  commonName: bytes('0603550403'),
  alternativeNames: bytes('0603551d11'),
  keyId: bytes('0603551d0e'),
  // Not a CA; only for digital signatures; only for servers. The first two must be understood.
  uses: bytes(
    '300c0603551d130101ff04023000' +
      '300e0603551d0f0101ff040403020780' +
      '30130603551d25040c300a06082b06010505070301',
  ),
} as const

/**
 * Creates a P-256 key and a self-signed certificate for local development; clients must be told to
 * trust it. It is not a CA, so trusting it trusts no other certificate.
 * @throws InvalidArgumentException without hosts.
 */
export function selfSigned(options: SelfSignedOptions = {}): KeyAndCertificate {
  const { hosts = localHosts, now = new Date() } = options
  const [subject] = hosts
  if (subject === undefined) throw invalidArgument('a certificate needs at least one host')
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = certificateBody(publicKey, subject, hosts, now)
  const signature = der(0x03, Buffer.of(0), sign('sha256', body, privateKey))
  const certificate = der(0x30, body, parts.ecdsaWithSha256, signature)
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

function certificateBody(
  publicKey: KeyObject,
  subject: string,
  hosts: readonly string[],
  now: Date,
): Buffer {
  const name = der(0x30, der(0x31, der(0x30, parts.commonName, der(0x0c, Buffer.from(subject)))))
  // A little into the past, for clients whose clock is behind.
  const from = new Date(now.getTime() - 300_000)
  const until = new Date(from.getTime() + validDays * 86_400_000)
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' })
  const keyId = hash('sha256', keyInfo, 'buffer').subarray(0, 20)
  const extensions = [
    der(0x30, parts.alternativeNames, der(0x04, der(0x30, ...hosts.map(alternativeName)))),
    parts.uses,
    der(0x30, parts.keyId, der(0x04, der(0x04, keyId))),
  ]
  return der(
    0x30,
    parts.version3,
    // The serial number; its first byte keeps it positive.
    der(0x02, Buffer.of(0x40), randomBytes(15)),
    parts.ecdsaWithSha256,
    name,
    der(0x30, time(from), time(until)),
    name,
    keyInfo,
    der(0xa3, der(0x30, ...extensions)),
  )
}

/** A value in DER, the distinguished encoding rules of ASN.1: a tag, a length, the content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const whole = Buffer.concat(content)
  const size = [whole.length >> 8, whole.length & 0xff].slice(whole.length > 0xff ? 0 : 1)
  // Above 127, how many bytes the length has comes first.
  const length = whole.length < 0x80 ? size : [0x80 | size.length, ...size]
  return Buffer.concat([Buffer.of(tag, ...length), whole])
}

/** A time in seconds: a two-digit year until 2049 and four digits after, as X.509 requires. */
function time(moment: Date): Buffer {
  const digits = moment.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')
  const isShort = moment.getUTCFullYear() < 2050
  return der(isShort ? 0x17 : 0x18, Buffer.from(`${isShort ? digits.slice(2) : digits}Z`))
}

function alternativeName(host: string): Buffer {
  if (isIP(host) === 0) return der(0x82, Buffer.from(host, 'latin1'))
  const numbers = isIPv4(host)
    ? host.split('.').map(Number)
    : groupsOf(host).flatMap((group) => [group >> 8, group & 255])
  return der(0x87, Buffer.from(numbers))
}

function bytes(hexadecimal: string): Buffer {
  return Buffer.from(hexadecimal, 'hex')
}
