import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import type { Assertion, NewCredential } from './read-credential.ts'
import type { RelyingParty } from './webauthn-options.ts'
import { algorithms } from './webauthn-options.ts'

/** As long as the column; RSA keys of 4,096 bits take half of it. */
const maxKeyLength = 1024

/** What an assertion has proven. */
export interface CheckedAssertion {
  readonly counter: number
  /** Whether the authenticator has verified its user. */
  readonly isVerified: boolean
  /** Whether it is kept in several places, such as an account for passkeys. */
  readonly isSynced: boolean
}

/** What a new credential has proven. */
export interface CheckedCredential extends CheckedAssertion {
  readonly id: string
  readonly publicKey: Uint8Array
}

/** Checks a new credential, whose challenge was checked before; null if anything is wrong with it. */
export async function checkCredential(
  { id, clientDataJSON, attestationObject, client }: NewCredential,
  site: RelyingParty,
): Promise<CheckedCredential | null> {
  try {
    if (client.crossOrigin || !isPlainAttestation(attestationObject)) return null
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: client.challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      // One that cannot verify its user is still good for the second step.
      requireUserVerification: false,
      supportedAlgorithmIDs: [...algorithms],
    })
    if (info === undefined || info.credential.id !== id) return null
    const { publicKey, counter } = info.credential
    if (publicKey.length > maxKeyLength) return null
    const isSynced = info.credentialBackedUp
    return { id, publicKey, counter, isVerified: info.userVerified, isSynced }
  } catch {
    return null
  }
}

/** Checks an assertion, whose challenge was checked before; null if anything is wrong with it. */
export async function checkAssertion(
  { id, clientDataJSON, authenticatorData, signature, client }: Assertion,
  publicKey: Uint8Array,
  { site, mustVerify }: { readonly site: RelyingParty; readonly mustVerify: boolean },
): Promise<CheckedAssertion | null> {
  try {
    if (client.crossOrigin) return null
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: client.challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      // The counter is compared later: here it would be before the signature, and anybody could raise an
      // alarm about somebody else's passkey.
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: mustVerify,
    })
    if (!verified) return null
    const { newCounter: counter, userVerified: isVerified, credentialBackedUp: isSynced } = info
    return { counter, isVerified, isSynced }
  } catch {
    return null
  }
}

// No attestation was asked for: certificates of strangers are neither parsed nor followed.
function isPlainAttestation(attestationObject: string): boolean {
  const bytes = new Uint8Array(Buffer.from(attestationObject, 'base64url'))
  const object = decodeAttestationObject(bytes)
  const format = object.get('fmt')
  return (
    format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined)
  )
}
