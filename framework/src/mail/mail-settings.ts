import { isIP } from 'node:net'
import { DEFAULT_SENDER, parseAddress } from './address.ts'
import { MailSecurity } from './mail-security.ts'
import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope, ValuesOf } from '../settings/scope.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'

/** The settings for outgoing mail. */
export type MailScope = ConfigScope<{
  readonly host: Variable<string>
  readonly port: Variable<number | null>
  readonly secure: Variable<MailSecurity>
  readonly username: Variable<string>
  readonly password: Variable<string>
  readonly queue: Variable<boolean>
  readonly from: Variable<string>
}>

/** The values of the scope `mail`. */
export type MailValues = ValuesOf<MailScope>

const mailHost: VariableKind<string> = {
  expects: 'a host name or an address, without scheme and port, or nothing to write mails to files',
  acceptsEmpty: true,
  parse(text) {
    const fits = text === '' || isIP(text) !== 0 || /^[A-Za-z0-9_](?:[\w.-]*\w)?\.?$/.test(text)
    return fits ? text : undefined
  },
}

const mailbox: VariableKind<string> = {
  expects: 'a mailbox such as no-reply@example.org or Shop <no-reply@example.org>',
  parse(text) {
    try {
      parseAddress('MAIL_FROM', text)
      return text
    } catch {
      return undefined
    }
  },
}

/** The scope `mail`. Without a host, mails are written to files in `storage/mails`. */
export const mailScope: MailScope = scope('mail', {
  host: env.custom('MAIL_HOST', mailHost, {
    default: '',
    meaning: 'mail server; without one, mails are written to storage/mails',
  }),
  port: env.optional(
    env.integer('MAIL_PORT', {
      min: 1,
      max: 65_535,
      meaning: 'port of the mail server; by default 587, 465 or 25, depending on MAIL_SECURE',
    }),
  ),
  secure: env.choice('MAIL_SECURE', Object.values(MailSecurity), {
    default: MailSecurity.StartTls,
    meaning: 'how the connection to the mail server is secured',
  }),
  username: env.string('MAIL_USERNAME', {
    default: '',
    meaning: 'user name for the mail server; empty for none',
  }),
  password: env.string('MAIL_PASSWORD', {
    default: '',
    meaning: 'password for the mail server',
    secret: true,
  }),
  queue: env.boolean('MAIL_QUEUE', {
    default: false,
    meaning: 'queue mails, to be sent by `framework queue run mail`',
  }),
  from: env.custom('MAIL_FROM', mailbox, {
    default: DEFAULT_SENDER,
    meaning: 'sender of mails',
  }),
})
