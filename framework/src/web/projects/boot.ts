import type { Environments } from '../../app/environments/environments.ts'
import type { ConfigScopes, ValuesOfScopes } from '../../app/config/scope.ts'
import type { ServerValues } from '../../app/config/server-scope.ts'
import type { Logs } from '../../services/logs/logs.ts'
import type { ReadyCheck } from '../server/readiness.ts'

/** The configs of a project that has none. */
export type NoConfigs = Readonly<Record<string, never>>

/** What every project finds when it starts. */
export interface Surroundings {
  /** The values of the framework's own scope. */
  readonly server: ServerValues
  readonly environment: Environments
  readonly logs: Logs
  /** Folder of the project. */
  readonly root: string
  /**
   * Adds a check that `/ready` asks: while it gives false, throws, rejects or takes longer than five
   * seconds this process should get no requests.
   */
  readonly ready: (name: string, check: ReadyCheck) => void
}

/** What services are built from: the surroundings and the values of the project's own scopes. */
export interface Boot<Configs extends ConfigScopes = NoConfigs> extends Surroundings {
  readonly configs: ValuesOfScopes<Configs>
}
