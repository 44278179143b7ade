import type { Environments } from '../settings/environments.ts'
import type { ConfigScopes, ValuesOfScopes } from '../settings/scope.ts'
import type { ServerValues } from '../http/server/server-settings.ts'
import type { Languages } from '../i18n/languages.ts'
import type { Logs } from '../logs/logs.ts'
import type { BuiltInMigration } from '../migrations/migration-file.ts'
import type { QueueWorker } from '../queue/run-queue.ts'
import type { RouteSet } from '../http/router/route-set.ts'
import type { ReadyCheck } from '../http/server/readiness.ts'
import type { BoundCommand } from './command.ts'
import type { BoundSchedule } from './schedule.ts'

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
  /** Where the project keeps its files: its folder `storage`, and in tests one of their own. */
  readonly storageFolder: string
}

/** The services of a project, and what runs with them. */
export interface InstalledParts<Services> {
  readonly services: Services
  readonly commands: () => readonly BoundCommand[]
  readonly queues: () => readonly QueueWorker[]
  /** Null for none. */
  readonly schedule: () => Promise<BoundSchedule | null>
}

/** The context in which a project is installed on a server. */
export interface InstallContext<Services extends object = object> extends ProjectContext {
  /** Route sets that the framework adds to those of the manifest. @default none */
  readonly builtIn?: readonly RouteSet<unknown>[]
  /** Replaces services before anything is built on them; for tests. */
  replaceServices?(this: void, services: Services): Services
  /** Marks what comes from catalogues, see `Languages.marked`; for tests. @default false */
  readonly marksTexts?: boolean
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
  /** Folders with their texts, a file for each language. */
  readonly messages: readonly string[]
}

/** The argument of `services`: the context and the values of the project's own scopes. */
export interface Boot<Configs extends ConfigScopes = NoConfigs> extends ProjectContext {
  /** What the parts of the project bring that are modules, such as accounts. */
  readonly modules: ProvidedByModules
  /** The languages of the project, with the texts of the framework; English alone without any. */
  readonly languages: Languages
  readonly configs: ValuesOfScopes<Configs>
}
