import { MailError } from './mail-error.ts'
import type { CompleteSmtpOptions } from './smtp-options.ts'

const enhancedStatus = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?![\d.])/
const systemCode = /^[A-Z][A-Z0-9_]{2,60}$/

/** What the library says of a failure, as far as it is known to hold no words of the server. */
interface Facts {
  readonly code: string
  /** The code of the system or of TLS below it. */
  readonly original: string
  readonly status: number | null
  readonly enhanced: string
  readonly command: string
}

/**
 * A failure of the library as one of ours. Only codes are taken over: servers like to quote what
 * they refuse, and spam filters quote links.
 */
export function smtpFailure(thrown: unknown, options: CompleteSmtpOptions): MailError {
  const facts = factsOf(thrown)
  return new MailError(`${serverName(options)} ${reasonOf(facts, options)}`, {
    status: facts.status,
    permanent: isUnwanted(facts),
  })
}

/** The failure of a letter that took too long. */
export function smtpTimeout(options: CompleteSmtpOptions): MailError {
  return new MailError(`${serverName(options)} ${tookTooLong(options)}`)
}

/** The failure of a letter that only some have got; trying again would send it to them twice. */
export function partlyRefused(refused: number, all: number, reason: MailError): MailError {
  return new MailError(
    `${refused} of ${all} mailboxes did not get the message: ${reason.message}`,
    {
      permanent: true,
      partial: true,
      status: reason.status,
    },
  )
}

// The letter itself was refused for good. 503 says that the conversation went wrong; a login or TLS
// that fails is mended by the owner, and the letter can go then.
function isUnwanted({ code, status }: Facts): boolean {
  if (status === null || status < 500 || status === 503) return false
  return code === 'EENVELOPE' || code === 'EMESSAGE'
}

function serverName({ host, port }: CompleteSmtpOptions): string {
  return `mail server ${host}:${port}`
}

function tookTooLong({ timeout }: CompleteSmtpOptions): string {
  return `took longer than ${timeout} s`
}

function reasonOf(facts: Facts, options: CompleteSmtpOptions): string {
  const { code, original, status, command } = facts
  if (code === 'ETIMEDOUT') return tookTooLong(options)
  if (status === null) {
    if (code === 'EDNS') return 'has no address that could be found'
    if (code === 'EAUTH') return 'did not accept the login'
    return `could not be spoken to: ${original === '' ? code : original}`
  }
  const answer = `answered ${status}${facts.enhanced}${command === '' ? '' : ` to ${command}`}`
  if (code === 'EAUTH') return `did not accept the login: it ${answer}`
  if (code === 'ETLS') return `does not offer TLS: it ${answer}; nothing was sent in the clear`
  return answer
}

function factsOf(thrown: unknown): Facts {
  const status = Number(property(thrown, 'responseCode'))
  const enhanced = enhancedStatus.exec(text(thrown, 'response'))?.[1]
  const command = text(thrown, 'command')
  return {
    code: known(text(thrown, 'code'), 'EUNKNOWN'),
    original: known(text(thrown, 'originalCode'), ''),
    status: Number.isInteger(status) && status > 0 ? status : null,
    enhanced: enhanced === undefined ? '' : ` ${enhanced}`,
    // The library's names for what is no command of the protocol.
    command: ['CONN', 'API'].includes(command) ? '' : command,
  }
}

function known(code: string, otherwise: string): string {
  return systemCode.test(code) ? code : otherwise
}

function text(thrown: unknown, name: string): string {
  const value = property(thrown, name)
  return typeof value === 'string' ? value : ''
}

function property(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined
}
