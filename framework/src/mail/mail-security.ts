/** How the connection to a mail server is encrypted. */
export const MailSecurity = {
  /** Starts unencrypted and upgrades to TLS before sending anything; never continues without TLS. */
  StartTls: 'starttls',
  /** TLS from the first byte. */
  Tls: 'tls',
  /** Unencrypted, including the login: only for a server on this machine or a private network. */
  None: 'none',
} as const
Object.freeze(MailSecurity)
export type MailSecurity = (typeof MailSecurity)[keyof typeof MailSecurity]

/** The standard ports of mail servers. */
export const defaultPorts: Readonly<Record<MailSecurity, number>> = {
  starttls: 587,
  tls: 465,
  none: 25,
}
