import type { SecureContextOptions } from 'node:tls'
import { InvalidArgumentException } from '../base/errors.ts'
import { MailSecurity, defaultPorts } from './mail-security.ts'

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
  /** Total seconds for a letter, including waiting and the retry. @default 30 */
  readonly timeout?: number
  /** Maximum number of connections, which is also the number of letters sent at once. @default 5 */
  readonly connections?: number
  /** Seconds before a deferred letter (4xx) is retried. @default 1 */
  readonly pause?: number
  /** Certificate authorities to trust instead of the ones Node.js ships with. */
  readonly ca?: SecureContextOptions['ca']
}

/** Validated options with all defaults filled in. */
export interface CompleteSmtpOptions {
  readonly host: string
  readonly port: number
  readonly secure: MailSecurity
  readonly login: { readonly user: string; readonly pass: string } | null
  readonly timeout: number
  readonly connections: number
  readonly pause: number
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
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `mail server option "${option}" must be ${expected}`,
  )
}
