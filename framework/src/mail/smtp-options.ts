import type { SecureContextOptions } from 'node:tls'
import { invalidArgument } from '../base/errors.ts'

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
const defaultPorts: Readonly<Record<MailSecurity, number>> = {
  starttls: 587,
  tls: 465,
  none: 25,
}

/** Connection to a mail server. */
export interface SmtpOptions {
  readonly host: string
  /** @default 587, 465 or 25, depending on `secure` */
  readonly port?: number | null
  /** @default 'starttls' */
  readonly secure?: MailSecurity
  /** Empty for a server without login. @default '' */
  readonly username?: string
  readonly password?: string
  /** Total seconds for a message, including waiting and the retry. @default 30 */
  readonly timeout?: number
  /** Maximum number of connections, which is also the number of messages sent at once. @default 5 */
  readonly connections?: number
  /** Seconds before a deferred message (4xx) is retried. @default 1 */
  readonly pause?: number
  /** Certificate authorities to trust instead of the ones Node.js ships with. */
  readonly ca?: SecureContextOptions['ca']
}

/** Validated options with all defaults filled in. */
export interface CompleteSmtpOptions extends Required<
  Pick<SmtpOptions, 'host' | 'secure' | 'timeout' | 'connections' | 'pause'>
> {
  readonly port: number
  readonly login: { readonly user: string; readonly pass: string } | null
  readonly ca: SecureContextOptions['ca']
}

/** @throws InvalidArgumentException that names the invalid option and what it accepts. */
export function completeSmtp(given: SmtpOptions): CompleteSmtpOptions {
  const { host, secure = MailSecurity.StartTls, username = '', password = '', ca } = given
  const { timeout = 30, connections = 5, pause = 1 } = given
  check(host !== '', 'host', 'a host name or an address')
  check(Object.values(MailSecurity).includes(secure), 'secure', 'starttls, tls or none')
  const port = given.port ?? defaultPorts[secure]
  check(Number.isInteger(port) && port > 0 && port < 65_536, 'port', '1 to 65535')
  check(Number.isFinite(timeout) && timeout > 0, 'timeout', 'seconds above zero')
  check(Number.isFinite(pause) && pause >= 0, 'pause', '0 or more seconds')
  check(Number.isInteger(connections) && connections > 0, 'connections', '1 or more')
  check((username === '') === (password === ''), 'username', 'given together with password')
  const login = username === '' ? null : { user: username, pass: password }
  return { host, port, secure, login, timeout, connections, pause, ca }
}

function check(isValid: boolean, option: string, expected: string): void {
  if (isValid) return
  throw invalidArgument(`mail server option "${option}" must be ${expected}`)
}
