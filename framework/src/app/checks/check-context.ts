import type { LoadedEnvironment } from '../config/env-source.ts'
import type { ConfigScope } from '../config/scope.ts'
import type { ServerValues } from '../config/server-scope.ts'
import type { Finding } from './finding.ts'

/** What the checks look at. All of it is on this machine: a check opens no connection. */
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
}

/** Looks for one kind of problem. */
export type Check = (context: CheckContext) => readonly Finding[]
