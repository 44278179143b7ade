import type { LoadedEnvironment } from '../../settings/env-source.ts'
import type { ConfigScope } from '../../settings/scope.ts'
import type { ServerValues } from '../../http/server/server-settings.ts'
import type { Finding } from './finding.ts'

/** What the checks look at. All of it is on this machine, unless they may ask the database. */
export interface CheckContext {
  /** Folder of the project. */
  readonly root: string
  readonly source: LoadedEnvironment
  /** The framework's own settings. */
  readonly server: ServerValues
  /** The scopes of the framework and of the project. */
  readonly scopes: readonly ConfigScope[]
  /** The names of the route sets in the manifest. */
  readonly routeSets: readonly string[]
  /** Whether the server itself serves TLS. */
  readonly tls: boolean
  readonly now: Date
  /** Whether checks may connect to the database, as with `--deploy`. */
  readonly asksDatabase: boolean
}

/** Looks for one kind of problem. */
export type Check = (context: CheckContext) => readonly Finding[] | Promise<readonly Finding[]>
