import { env } from '../settings/env.ts'
import { releaseOf } from '../settings/release.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope } from '../settings/scope.ts'
import type { Variable } from '../settings/variable.ts'
import type { Logs } from '../logs/logs.ts'
import type { Surface } from '../database/surface.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { mailboxKind } from '../mail/address.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { ServerValues } from '../http/server/server-settings.ts'
import { ErrorInbox } from './error-inbox.ts'
import type { ErrorInboxOptions } from './error-inbox.ts'
import { ErrorTeller } from './error-teller.ts'
import type { TellOptions } from './error-teller.ts'
import { SqlErrors } from './sql-errors.ts'

const mailbox = {
  ...mailboxKind('a mailbox such as ops@example.org, or nothing'),
  acceptsEmpty: true,
}

const webhook = {
  expects: 'a URL that begins with "https://" or "http://", or nothing',
  acceptsEmpty: true,
  parse: (text: string) =>
    text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined,
}

const hours = {
  expects: 'hours such as 22-7, or nothing',
  acceptsEmpty: true,
  parse: (text: string) => (/^(?:(?:1?\d|2[0-3])-(?:1?\d|2[0-3]))?$/.test(text) ? text : undefined),
}

/** The scope `errors`: who is told of new and returned errors and of spikes. */
export const errorInboxScope: ConfigScope<{
  readonly [Name in keyof TellOptions]: Variable<string>
}> = scope('errors', {
  mail: env.custom('ERRORS_MAIL', mailbox, {
    default: '',
    meaning: 'address that gets a mail about new and returned errors and spikes; empty for none',
  }),
  webhook: env.custom('ERRORS_WEBHOOK', webhook, {
    default: '',
    secret: true,
    meaning: 'URL that gets the same, of Slack, Discord or your own; empty for none',
  }),
  webhookSecret: env.string('ERRORS_WEBHOOK_SECRET', {
    default: '',
    secret: true,
    meaning: 'secret that signs what is sent to ERRORS_WEBHOOK',
  }),
  quietHours: env.custom('ERRORS_QUIET_HOURS', hours, {
    default: '',
    meaning:
      'hours in which nobody is told, such as 22-7, in APP_TIMEZONE; news wait for their end',
  }),
})

/** The project an inbox belongs to. A project's `Boot` has everything it needs. */
export interface ErrorInboxContext {
  /** Folder of the project. */
  readonly root: string
  /** Where the project keeps its files. @default storage of the project */
  readonly storageFolder?: string
  readonly logs: Logs
  readonly server: Pick<ServerValues, 'release' | 'url' | 'timeZone'>
  /** Epoch seconds. */
  readonly clock?: () => number
}

/** Options of `errorInboxFrom`. */
export interface ErrorInboxFromOptions extends Pick<
  ErrorInboxOptions,
  'onReturn' | 'throwables' | 'clock'
> {
  /** The database with the tables of `createErrorTables`. */
  readonly database: Surface
  /**
   * Who is told of news, `tell: { ...configs.errors, mailer }` with the settings of `errorInboxScope`.
   * @default nobody
   */
  readonly tell?: TellOptions & { readonly mailer: Mailer }
}

/** Creates an inbox for a project: `errorInboxFrom(boot, { database })`. It collects errors from now on. */
export function errorInboxFrom(
  { root, storageFolder, logs, server, ...context }: ErrorInboxContext,
  { database, tell, ...options }: ErrorInboxFromOptions,
): ErrorInbox {
  const { clock = context.clock ?? epochSeconds } = options
  const store = new SqlErrors(database, { clock })
  const teller =
    tell &&
    new ErrorTeller(store, tell, {
      mailer: tell.mailer,
      url: server.url,
      timeZone: server.timeZone,
      nowMs: () => clock() * 1_000,
      warn: (message, details) => logs.channel('inbox').warn(message, details),
    })
  return new ErrorInbox(store, {
    ...options,
    clock,
    ...(teller?.tells && { teller }),
    root,
    ...(storageFolder !== undefined && { storageFolder }),
    logs,
    release: releaseOf(server.release, root),
  })
}
