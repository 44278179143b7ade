import { isRecord } from '../base/is-record.ts'
import { MailError } from './mail-error.ts'
import type { CompleteSmtpOptions } from './smtp-options.ts'

const enhancedStatus = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?![\d.])/
const systemCode = /^[A-Z][A-Z0-9_]{2,60}$/

/** The parts of a nodemailer error that cannot contain text from the server. */
interface FailureDetails {
  readonly code: string
  /** The underlying code of the system or of TLS. */
  readonly original: string
  readonly status: number | null
  readonly enhanced: string
  readonly command: string
}

/**
 * Converts a nodemailer error to a `MailError`. Only codes are kept: servers quote what they reject,
 * and spam filters quote links.
 */
export function smtpFailure(thrown: unknown, options: CompleteSmtpOptions): MailError {
  const details = detailsOf(thrown)
  return new MailError(`${serverName(options)} ${reasonOf(details, options)}`, {
    status: details.status,
    permanent: isPermanent(details),
  })
}

/** The error for a message that took too long. */
export function smtpTimeout(options: CompleteSmtpOptions): MailError {
  return new MailError(`${serverName(options)} ${tookTooLong(options)}`)
}

/** The error for a message that only some recipients got; a retry would send it to them twice. */
export function partialFailure(failed: number, all: number, reason: MailError): MailError {
  return new MailError(`${failed} of ${all} mailboxes did not get the message: ${reason.message}`, {
    permanent: true,
    partial: true,
    status: reason.status,
  })
}

// Whether the message itself was rejected for good. 503 is a protocol error, and a failing login or
// TLS can be fixed by the operator: then a retry succeeds.
function isPermanent({ code, status }: FailureDetails): boolean {
  if (status === null || status < 500 || status === 503) return false
  return code === 'EENVELOPE' || code === 'EMESSAGE'
}

function serverName({ host, port }: CompleteSmtpOptions): string {
  return `mail server ${host}:${port}`
}

function tookTooLong({ timeout }: CompleteSmtpOptions): string {
  return `took longer than ${timeout} s`
}

function reasonOf(details: FailureDetails, options: CompleteSmtpOptions): string {
  const { code, original, status, enhanced, command } = details
  if (code === 'ETIMEDOUT') return tookTooLong(options)
  if (status === null) {
    if (code === 'EDNS') return 'cannot be found in DNS'
    if (code === 'EAUTH') return 'did not accept the login'
    return `could not be reached: ${original === '' ? code : original}`
  }
  const answer = `answered ${status}${enhanced}${command === '' ? '' : ` to ${command}`}`
  if (code === 'EAUTH') return `did not accept the login: it ${answer}`
  if (code === 'ETLS') return `does not offer TLS: it ${answer}; nothing was sent in the clear`
  return answer
}

function detailsOf(given: unknown): FailureDetails {
  const thrown = isRecord(given) ? given : {}
  const status = Number(thrown['responseCode'])
  const enhanced = enhancedStatus.exec(text(thrown, 'response'))?.[1]
  const command = text(thrown, 'command')
  return {
    code: known(text(thrown, 'code'), 'EUNKNOWN'),
    original: known(text(thrown, 'originalCode'), ''),
    status: Number.isInteger(status) && status > 0 ? status : null,
    enhanced: enhanced === undefined ? '' : ` ${enhanced}`,
    // nodemailer's own names, which are not SMTP commands.
    command: ['CONN', 'API'].includes(command) ? '' : command,
  }
}

function known(code: string, otherwise: string): string {
  return systemCode.test(code) ? code : otherwise
}

function text(thrown: Readonly<Record<string, unknown>>, name: string): string {
  const value = thrown[name]
  return typeof value === 'string' ? value : ''
}
