import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Throwables } from '../errors/throwables/throwables.ts'
import { ConfigurationError } from '../base/errors.ts'
import { FileLane } from './file-lane.ts'
import type { Lane } from './lane.ts'
import { MailViews } from './mail-views.ts'
import { Mailer } from './mailer.ts'
import type { MailQueue } from './queue-lane.ts'
import { SmtpLane } from './smtp-lane.ts'
import type { MailValues } from './mail-settings.ts'
import { Environments } from '../settings/environments.ts'

/** The project a mailer belongs to. A project's `Boot` has everything it needs. */
export interface MailContext {
  /** Folder of the project. */
  readonly root: string
  readonly environment: Environments
  /** `debugRemote`: whether the preview of mails is shown to other machines too. */
  readonly server?: { readonly debugRemote: boolean }
  /** Where mails are written if there is no mail server. @default storage/mails of the project */
  readonly mailFolder?: string
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
  { root, environment, server, mailFolder }: MailContext,
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
  const folder = mailFolder ?? join(root, 'storage', 'mails')
  const views = join(root, 'views')
  return new Mailer(createLane(values, folder, options), {
    ...options,
    from: values.from,
    queue: values.queue ? (queue ?? null) : null,
    views: existsSync(views) ? new MailViews(views, { reload: isDevelopment }) : null,
    // Mails contain links that grant access to accounts, so the preview exists only in development.
    preview:
      isDevelopment && values.host === '' ? { folder, remote: server?.debugRemote === true } : null,
  })
}

function createLane(values: MailValues, folder: string, options: MailerFromOptions): Lane {
  return values.host === '' ? new FileLane(folder, options) : new SmtpLane(values)
}

function checkCredentials({ username, password }: MailValues): void {
  if ((username === '') === (password === '')) return
  const missing = username === '' ? 'MAIL_USERNAME' : 'MAIL_PASSWORD'
  throw new ConfigurationError(
    'E_CONFIG_INVALID',
    `${missing} is missing: set both MAIL_USERNAME and MAIL_PASSWORD, or neither`,
  )
}
