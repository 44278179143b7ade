/** Keys of a session that have a meaning to the framework, besides the one of the identity. */
export const SessionKeys = {
  /** Path and query that a guest asked for before being sent to sign in. */
  Intended: 'intended',
  /** Handle of the trusted device that made the session, or brought it back. */
  Device: 'device',
  /** Who has shown a password and must still show something else. */
  Pending: 'pending',
} as const
Object.freeze(SessionKeys)
export type SessionKeys = (typeof SessionKeys)[keyof typeof SessionKeys]
