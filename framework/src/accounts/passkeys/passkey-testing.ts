import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'

/** Options of `TestAuthenticator`. */
export interface TestAuthenticatorOptions {
  /** The address of the site: `https://demo.example`. Another one plays a page of somebody else. */
  readonly origin: string
  /** Whether it verifies its user, by a PIN or a fingerprint. @default true */
  readonly verifies?: boolean
  /** Whether it counts its signatures, as keys that cannot be copied do. @default false */
  readonly counts?: boolean
}

/** A passkey of a `TestAuthenticator`. */
export interface TestCredential {
  readonly id: string
  readonly userHandle: string
  readonly key: KeyObject
  /** How often it has signed; stays 0 unless it counts. A lower number plays an older copy. */
  counter: number
}

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

/**
 * A browser with an authenticator, for tests of pages with passkeys: it takes the options that a page
 * gets from the server, and returns the text of the field `credential`.
 */
export class TestAuthenticator {
  /** Its passkeys, the newest last. */
  readonly credentials: TestCredential[] = []
  verifies: boolean
  /** Where its pages come from. */
  origin: string
  /** Whether they are in a frame of another site. */
  isFramed: boolean = false
  readonly #counts: boolean

  constructor({ origin, verifies = true, counts = false }: TestAuthenticatorOptions) {
    this.origin = origin
    this.verifies = verifies
    this.#counts = counts
  }

  /**
   * Makes a passkey, as `navigator.credentials.create` does.
   * @throws InvalidArgumentException if it has one that the options exclude.
   */
  create(options: unknown): string {
    const { rp, user, challenge, excludeCredentials = [] } = Object(options)
    const excluded = new Set<unknown>(Array.from(excludeCredentials, (one) => Object(one).id))
    if (this.credentials.some(({ id }) => excluded.has(id))) throw refused('it has one already')
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(32)
    const credential = {
      id: id.toString('base64url'),
      userHandle: String(Object(user).id),
      key: privateKey,
      counter: this.#counts ? 1 : 0,
    }
    this.credentials.push(credential)
    const attestationObject = Buffer.concat([
      plainAttestation,
      this.#authenticatorData(String(Object(rp).id), credential.counter, hasCredential),
      // No model, then the length of the id, the id and the public key.
      Buffer.alloc(16),
      Buffer.of(0, id.length),
      id,
      coseKey(publicKey),
    ])
    return credentialJson(credential.id, {
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  /**
   * Signs a challenge with its newest passkey that the options allow, as `navigator.credentials.get` does.
   * @throws InvalidArgumentException if it has none.
   */
  get(options: unknown): string {
    const { rpId, challenge, allowCredentials = [] } = Object(options)
    const allowed = Array.from(allowCredentials, (one) => Object(one).id)
    const credential = this.credentials.findLast(
      ({ id }) => allowed.length === 0 || allowed.includes(id),
    )
    if (credential === undefined) throw refused('it has none of those that are asked for')
    if (this.#counts) credential.counter += 1
    const data = this.#authenticatorData(String(rpId), credential.counter, 0)
    const client = this.#clientData('webauthn.get', challenge)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return credentialJson(credential.id, {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, credential.key).toString('base64url'),
      userHandle: credential.userHandle,
    })
  }

  #authenticatorData(rpId: string, counter: number, more: number): Buffer {
    const tail = Buffer.alloc(5)
    tail[0] = userPresent | (this.verifies ? userVerified : 0) | more
    tail.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), tail])
  }

  #clientData(type: string, challenge: unknown): Buffer {
    const { origin, isFramed: crossOrigin } = this
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))
  }
}

/**
 * The beginning of an attestation without a certificate, in CBOR (RFC 8949): a map of three, of which `fmt` is
 * the text `none`, `attStmt` is empty, and `authData` are the 164 bytes that follow.
 */
const plainAttestation = Buffer.from('\xa3cfmtdnonegattStmt\xa0hauthDataX\xa4', 'latin1')

/** A public key as authenticators write it (COSE): a map of its kind, ES256, P-256 and two times 32 bytes. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}

function credentialJson(id: string, response: Readonly<Record<string, unknown>>): string {
  const type = 'public-key'
  return JSON.stringify({ id, rawId: id, type, response, clientExtensionResults: {} })
}

function refused(reason: string): InvalidArgumentException {
  return invalidArgument(`the authenticator refuses: ${reason}`)
}
