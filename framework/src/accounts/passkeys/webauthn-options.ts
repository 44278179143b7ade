import { challengeTtl } from './passkey-challenges.ts'
import type { RelyingParty } from './relying-party.ts'

/** Options for `navigator.credentials.create` or `navigator.credentials.get`, as JSON. */
export type PasskeyOptions = Readonly<Record<string, unknown>>

/** A passkey that the browser should offer, or not make again. */
export interface KnownCredential {
  readonly id: string
  readonly transports: readonly string[]
}

/** The account that a new passkey is for. */
export interface CredentialOwner {
  /** Random, in base64url: authenticators may show it to anybody. */
  readonly handle: string
  /** What authenticators show. */
  readonly name: string
}

/** EdDSA, ES256, RS256: those that every supported version of Node.js can verify. */
export const algorithms: readonly number[] = [-8, -7, -257]

/** For a new passkey. */
export function creationOptions(
  site: RelyingParty,
  challenge: string,
  { handle, name }: CredentialOwner,
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

function descriptor({ id, transports }: KnownCredential) {
  return { type: 'public-key', id, ...(transports.length > 0 && { transports }) }
}
