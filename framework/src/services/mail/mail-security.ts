/** How the way to a mail server is protected. */
export const MailSecurity = {
  /** Begins in the clear and turns to TLS before anything is said; never goes on without. */
  StartTls: 'starttls',
  /** TLS from the first byte. */
  Tls: 'tls',
  /** In the clear, login and all: for a server on this machine or behind the same wall. */
  None: 'none',
} as const
Object.freeze(MailSecurity)
export type MailSecurity = (typeof MailSecurity)[keyof typeof MailSecurity]

/** The port a mail server has by custom. */
export const usualPorts: Readonly<Record<MailSecurity, number>> = {
  starttls: 587,
  tls: 465,
  none: 25,
}
