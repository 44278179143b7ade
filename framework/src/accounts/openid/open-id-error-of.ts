import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { OpenIdError } from './open-id-error.ts'

/** What issuers say when they are not able to respond now. */
const temporary: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable'])

/** What went wrong at an issuer, without what was sent or received. */
export function openIdErrorOf(error: unknown): OpenIdError {
  if (error instanceof OpenIdError) return error
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return issuerSaid(error.error)
  }
  const inner = openIdErrorIn(error)
  if (inner !== null) return inner
  if (error instanceof ClientError) return clientFailed(error)
  // Node's fetch throws a TypeError, whose cause is what the system said.
  const cause = error instanceof Error ? error.cause : null
  return new OpenIdError('unavailable', codeOf(cause) ?? codeOf(error) ?? 'network')
}

function issuerSaid(code: string): OpenIdError {
  if (code === 'access_denied') return new OpenIdError('denied', code)
  return new OpenIdError(temporary.has(code) ? 'unavailable' : 'failed', code)
}

function clientFailed({ code, cause }: ClientError): OpenIdError {
  const isLate = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT'
  const isDown = cause instanceof Response && cause.status >= 500
  if (isLate || isDown) return new OpenIdError('unavailable', isDown ? 'status_5xx' : code)
  return new OpenIdError('failed', comparedClaim(cause) ?? code)
}

// Our own error from inside its `fetch`.
function openIdErrorIn(error: unknown): OpenIdError | null {
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof OpenIdError ? cause : null
}

/** The name of the claim that was not as expected: `nonce`, `iss`, `aud`. */
function comparedClaim(cause: unknown): string | null {
  const details = cause instanceof Error ? cause.cause : null
  if (typeof details !== 'object' || details === null || !('claim' in details)) return null
  return typeof details.claim === 'string' ? details.claim : null
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
