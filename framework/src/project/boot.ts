import type { Environments } from '../settings/environments.ts'
import type { ConfigScopes, ValuesOfScopes } from '../settings/scope.ts'
import type { ServerValues } from '../http/server/server-settings.ts'
import type { Logs } from '../logs/logs.ts'
import type { BuiltInMigration } from '../migrations/migration-file.ts'
import type { QueueWorker } from '../queue/run-queue.ts'
import type { BoundTask } from '../schedule/bound-task.ts'
import type { RouteSet } from '../http/router/route-set.ts'
import type { ReadyCheck } from '../http/server/readiness.ts'

/** The type of `configs` for a project without any. */
export type NoConfigs = Readonly<Record<string, never>>

/** What the framework provides to a project when it starts. */
export interface ProjectContext {
  /** The values of the framework's own scope. */
  readonly server: ServerValues
  readonly environment: Environments
  readonly logs: Logs
  /** Folder of the project. */
  readonly root: string
  /**
   * Adds a check to `/ready`. While it returns false, throws, rejects or takes longer than five
   * seconds, this process should get no requests.
   */
  readonly ready: (name: string, check: ReadyCheck) => void
  /** Epoch seconds, as the framework's own services read them: in tests, `travel` moves this clock. */
  readonly clock: () => number
  /** Where `mailerFrom` writes mails if there is no mail server. @default storage/mails of the project */
  readonly mailFolder?: string
}

/** What a project consists of once its services are built. */
export interface InstalledParts<Services extends object> {
  readonly services: Services
  /** Its queue workers, on the same services. */
  readonly queues: () => readonly QueueWorker[]
  /** The tasks of its schedule, on the same services. */
  readonly tasks: readonly BoundTask[]
}

/** The context in which a project is installed on a server. */
export interface InstallContext<Services extends object = object> extends ProjectContext {
  /** Route sets that the framework adds to those of the manifest. @default none */
  readonly builtIn?: readonly RouteSet<unknown>[]
  /** Replaces services before anything is built on them; for tests. */
  replaceServices?(this: void, services: Services): Services
  /** Called when the services are built; for tests. */
  onInstall?(this: void, parts: InstalledParts<Services>): void
}

/** The argument of `checks`: the settings of a project, without anything that needs a connection. */
export interface CheckBoot<Configs extends ConfigScopes = NoConfigs> extends Pick<
  ProjectContext,
  'server' | 'environment' | 'root'
> {
  readonly configs: ValuesOfScopes<Configs>
}

/** What modules add to the files of a project. */
export interface ProvidedByModules {
  /** Folders of views, for what the project has not replaced. */
  readonly views: readonly string[]
  migrations(): Promise<readonly BuiltInMigration[]>
}

/** The argument of `services`: the context and the values of the project's own scopes. */
export interface Boot<Configs extends ConfigScopes = NoConfigs> extends ProjectContext {
  /** What the parts of the project bring that are modules, such as accounts. */
  readonly modules: ProvidedByModules
  readonly configs: ValuesOfScopes<Configs>
}
