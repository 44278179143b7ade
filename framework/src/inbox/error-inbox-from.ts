import type { Surface } from '../database/surface.ts'
import { ErrorInbox } from './error-inbox.ts'
import type { ErrorInboxOptions } from './error-inbox.ts'
import type { Logs } from '../logs/logs.ts'
import type { ServerValues } from '../http/server/server-settings.ts'
import { releaseOf } from '../settings/release.ts'
import { SqlErrors } from './sql-errors.ts'

/** The project an inbox belongs to. A project's `Boot` has everything it needs. */
export interface ErrorInboxContext {
  /** Folder of the project. */
  readonly root: string
  /** Where the project keeps its files. @default storage of the project */
  readonly storageFolder?: string
  readonly logs: Logs
  readonly server: Pick<ServerValues, 'release'>
}

/** Options of `errorInboxFrom`. */
export interface ErrorInboxFromOptions extends Pick<
  ErrorInboxOptions,
  'onReturn' | 'throwables' | 'clock'
> {
  /** The database with the tables of `createErrorTables`. */
  readonly database: Surface
}

/** Creates an inbox for a project: `errorInboxFrom(boot, { database })`. It collects errors from now on. */
export function errorInboxFrom(
  { root, storageFolder, logs, server }: ErrorInboxContext,
  { database, ...options }: ErrorInboxFromOptions,
): ErrorInbox {
  const { clock } = options
  return new ErrorInbox(new SqlErrors(database, clock === undefined ? {} : { clock }), {
    ...options,
    root,
    ...(storageFolder !== undefined && { storageFolder }),
    logs,
    release: releaseOf(server.release, root),
  })
}
