import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { ConfigurationError } from '../base/errors.ts'
import type { Throwables } from '../errors/throwables/throwables.ts'
import { env } from '../settings/env.ts'
import { Environments } from '../settings/environments.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope, ValuesOf } from '../settings/scope.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'
import type { Languages } from '../i18n/languages.ts'
import { DEFAULT_SENDER, mailboxKind } from './address.ts'
import { FileLane } from './file-lane.ts'
import { MailViews } from './mail-views.ts'
import { Mailer } from './mailer.ts'
import type { MailQueue } from './queue-lane.ts'
import { SmtpLane } from './smtp-lane.ts'
import { MailSecurity } from './smtp-options.ts'

/** The values of the scope `mail`. */
export type MailValues = ValuesOf<typeof mailScope>

const mailHost: VariableKind<string> = {
  expects: 'a host name or an address, without scheme and port, or nothing to write mails to files',
  acceptsEmpty: true,
  parse(text) {
    const fits = text === '' || isIP(text) !== 0 || /^[A-Za-z0-9_](?:[\w.-]*\w)?\.?$/.test(text)
    return fits ? text : undefined
  },
}

const mailbox = mailboxKind('a mailbox such as no-reply@example.org or Shop <no-reply@example.org>')

/** The scope `mail`. Without a host, mails are written to files in `storage/mails`. */
export const mailScope: ConfigScope<{
  readonly host: Variable<string>
  readonly port: Variable<number | null>
  readonly secure: Variable<MailSecurity>
  readonly username: Variable<string>
  readonly password: Variable<string>
  readonly queue: Variable<boolean>
  readonly from: Variable<string>
}> = scope('mail', {
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

/** The project a mailer belongs to. A project's `Boot` has everything it needs. */
export interface MailContext {
  /** Folder of the project. */
  readonly root: string
  readonly environment: Environments
  /** `debugRemote`: whether the preview of mails is shown to other machines too. */
  readonly server?: { readonly debugRemote: boolean }
  /** Its folder `mails` has the mails if there is no mail server. @default storage of the project */
  readonly storageFolder?: string
  /** Where views are that the project has not. @default nowhere */
  readonly modules?: { readonly views: readonly string[] }
  /** The languages of views. @default English */
  readonly languages?: Languages
}

/** Options of `mailerFrom`. */
export interface MailerFromOptions {
  /** Receives the mails when `MAIL_QUEUE` is on. */
  readonly queue?: MailQueue
  /** Receives delivery errors. @default Throwables */
  readonly throwables?: Throwables
  /** Epoch seconds. */
  readonly clock?: () => number
}

/**
 * Creates a mailer from the settings: `mailerFrom(configs.mail, boot)`. It renders the views of the
 * project. Without `MAIL_HOST`, mails are written to `storage/mails`.
 * @throws ConfigurationError for settings that contradict each other.
 */
export function mailerFrom(
  values: MailValues,
  { root, environment, server, storageFolder, modules, languages }: MailContext,
  { queue, ...options }: MailerFromOptions = {},
): Mailer {
  checkCredentials(values)
  if (values.queue && queue === undefined) {
    throw new ConfigurationError(
      'E_MAIL_QUEUE',
      'MAIL_QUEUE is on but there is no queue; pass one: mailerFrom(configs.mail, boot, { queue })',
    )
  }
  const isDevelopment = environment === Environments.Development
  const folder = join(storageFolder ?? join(root, 'storage'), 'mails')
  const views = join(root, 'views')
  const fallbacks = modules?.views ?? []
  const lane = values.host === '' ? new FileLane(folder, options) : new SmtpLane(values)
  return new Mailer(lane, {
    ...options,
    ...(languages && { languages }),
    from: values.from,
    queue: values.queue ? (queue ?? null) : null,
    views:
      fallbacks.length > 0 || existsSync(views)
        ? new MailViews(views, { reload: isDevelopment, fallbacks })
        : null,
    // Mails contain links that grant access to accounts, so the preview exists only in development.
    preview:
      isDevelopment && values.host === '' ? { folder, remote: server?.debugRemote === true } : null,
  })
}

function checkCredentials({ username, password }: MailValues): void {
  if ((username === '') === (password === '')) return
  const missing = username === '' ? 'MAIL_USERNAME' : 'MAIL_PASSWORD'
  throw new ConfigurationError(
    'E_CONFIG_INVALID',
    `${missing} is missing: set both MAIL_USERNAME and MAIL_PASSWORD, or neither`,
  )
}
