import type { SecureContextOptions } from 'node:tls'
import { InvalidArgumentException } from '../../base/errors.ts'
import { MailSecurity, usualPorts } from './mail-security.ts'

/** Where a mail server is and how it is spoken to. */
export interface SmtpOptions {
  readonly host: string
  /** 587, 465 or 25, as `secure` has it, unless given. */
  readonly port?: number | null
  /** `starttls` unless given. */
  readonly secure?: MailSecurity
  /** Empty for a server that asks for no login. */
  readonly username?: string
  readonly password?: string
  /** Seconds that a letter may take in all, waiting and a second attempt included; 30 unless given. */
  readonly timeout?: number
  /** Letters under way at once, each on a connection of its own that is kept for the next; 5 unless given. */
  readonly connections?: number
  /** Seconds before a letter that was put off (4xx) is offered once more; 1 unless given. */
  readonly pause?: number
  /** Authorities to trust in place of those Node.js knows. */
  readonly ca?: SecureContextOptions['ca']
}

/** The same, complete and checked. */
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

/** @throws InvalidArgumentException that names the option and what it takes. */
export function completeSmtp(given: SmtpOptions): CompleteSmtpOptions {
  const { host, secure = MailSecurity.StartTls, username = '', password = '', ca } = given
  const { timeout = 30, connections = 5, pause = 1 } = given
  check(host !== '', 'host', 'a host name or an address')
  check(Object.values(MailSecurity).includes(secure), 'secure', 'starttls, tls or none')
  const port = given.port ?? usualPorts[secure]
  check(Number.isInteger(port) && port > 0 && port < 65_536, 'port', '1 to 65535')
  check(Number.isFinite(timeout) && timeout > 0, 'timeout', 'seconds above zero')
  check(Number.isFinite(pause) && pause >= 0, 'pause', 'seconds of zero or more')
  check(Number.isInteger(connections) && connections > 0, 'connections', '1 or more')
  check((username === '') === (password === ''), 'username', 'given together with the password')
  const login = username === '' ? null : { user: username, pass: password }
  return { host, port, secure, login, timeout, connections, pause, ca }
}

function check(holds: boolean, option: string, expected: string): void {
  if (holds) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `mail server option "${option}" must be ${expected}`,
  )
}
