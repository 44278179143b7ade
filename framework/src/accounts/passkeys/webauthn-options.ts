import { isIP } from 'node:net'
import { challengeTtl } from './passkey-challenges.ts'

/** The site as authenticators know it. A passkey belongs to its id, and works on its origin only. */
export interface RelyingParty {
  /** The host name of the site. */
  readonly id: string
  /** Scheme, host and port of its pages. */
  readonly origin: string
  /** The name that authenticators show. */
  readonly title: string
  /** Whether browsers allow passkeys there: not for an address without a name, nor without TLS. */
  readonly isUsable: boolean
}

/** The site with this address. Never taken from a request, which could name another site. */
export function relyingParty(url: string, title: string): RelyingParty {
  const { hostname: id, origin, protocol } = new URL(url)
  const isAddress = isIP(id) !== 0 || id.startsWith('[')
  const isLocal = id === 'localhost' || id.endsWith('.localhost')
  return { id, origin, title, isUsable: !isAddress && (protocol === 'https:' || isLocal) }
}

/** Options for `navigator.credentials.create` or `navigator.credentials.get`, as JSON. */
export type PasskeyOptions = Readonly<Record<string, unknown>>

/** A passkey that the browser should offer, or not make again. */
export interface KnownCredential {
  /** Its id. */
  readonly credential: string
  readonly transports: readonly string[]
}

/** EdDSA, ES256, RS256: those that every supported version of Node.js can verify. */
export const algorithms: readonly number[] = [-8, -7, -257]

/** For a new passkey of an account. Its handle is random, in base64url: authenticators may show it to anybody. */
export function creationOptions(
  site: RelyingParty,
  challenge: string,
  { handle, name }: { readonly handle: string; readonly name: string },
  known: readonly KnownCredential[],
): PasskeyOptions {
  return {
    rp: { id: site.id, name: site.title },
    user: { id: handle, name, displayName: name },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeTtl * 1000,
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    attestation: 'none',
    extensions: { credProps: true },
  }
}

/** For a passkey that exists; without `known` the user chooses among all of the site. */
export function requestOptions(
  site: RelyingParty,
  challenge: string,
  { mustVerify, known }: { mustVerify: boolean; known: readonly KnownCredential[] },
): PasskeyOptions {
  return {
    rpId: site.id,
    challenge,
    timeout: challengeTtl * 1000,
    userVerification: mustVerify ? 'required' : 'preferred',
    allowCredentials: known.map(descriptor),
  }
}

function descriptor({ credential: id, transports }: KnownCredential) {
  return { type: 'public-key', id, ...(transports.length > 0 && { transports }) }
}
