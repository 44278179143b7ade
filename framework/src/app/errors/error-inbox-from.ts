import type { Surface } from '../../data/database/surface.ts'
import { ErrorInbox } from '../../services/inbox/error-inbox.ts'
import type { ErrorInboxOptions } from '../../services/inbox/error-inbox.ts'
import type { Logs } from '../../services/logs/logs.ts'
import { projectRelease } from '../config/error-inbox-scope.ts'
import type { ErrorInboxValues } from '../config/error-inbox-scope.ts'
import { SqlErrors } from './sql-errors.ts'

/** The project an inbox belongs to. A project's `Boot` has everything it needs. */
export interface ErrorInboxContext {
  /** Folder of the project. */
  readonly root: string
  readonly logs: Logs
}

/** Options of `errorInboxFrom`. */
export interface ErrorInboxFromOptions extends Pick<
  ErrorInboxOptions,
  'onReturn' | 'throwables' | 'clock'
> {
  /** The database with the tables of `createErrorTables`. */
  readonly database: Surface
}

/**
 * Creates an inbox from the settings: `errorInboxFrom(configs.errors, boot, { database })`. It collects
 * errors from now on.
 */
export function errorInboxFrom(
  { release }: Pick<ErrorInboxValues, 'release'>,
  { root, logs }: ErrorInboxContext,
  { database, ...options }: ErrorInboxFromOptions,
): ErrorInbox {
  const { clock } = options
  return new ErrorInbox(new SqlErrors(database, clock === undefined ? {} : { clock }), {
    ...options,
    root,
    logs,
    release: projectRelease(release, root),
  })
}
