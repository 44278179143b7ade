/** Session keys used by the framework, besides the one for the identity. */
export const SessionKeys = {
  /** Path and query a guest asked for before being redirected to sign in. */
  Intended: 'intended',
  /** Path and query that somebody asked for who has to add a second factor first. */
  Enrolling: 'enrolling',
  /** Handle of the trusted device that created or revived the session. */
  Device: 'device',
  /** The account whose password was checked and whose second factor is still missing. */
  Pending: 'pending',
  /** When and how the user last proved again who they are. */
  Confirmed: 'confirmed',
  /** Sign-ins at other sites that were begun and have not come back. */
  OpenId: 'oidc',
} as const
Object.freeze(SessionKeys)
export type SessionKeys = (typeof SessionKeys)[keyof typeof SessionKeys]

/** Key of the CSRF token, which changes with the session id. */
export const csrfKey = 'csrf'
