import type { Command } from './scripts/command.ts'
import { readScopes } from '../settings/scope.ts'
import type { ConfigScopes, ValuesOfScopes } from '../settings/scope.ts'
import type { EnvSource } from '../settings/env-source.ts'
import type { Finding } from './checks/finding.ts'
import type { AccountSupport } from '../accounts/account-support.ts'
import { ConfigurationError } from '../base/errors.ts'
import type { QueueWorker } from '../queue/run-queue.ts'
import type { NamedRoutes } from '../http/addresses/define-routes.ts'
import type { ErrorValues } from '../http/errors/error-values.ts'
import type { RateLimitStore } from '../http/rate-limits/rate-limit-store.ts'
import type { ResponseResources } from '../http/response/database-resource.ts'
import type { Middleware } from '../http/router/middleware.ts'
import type { RouteSet } from '../http/router/route-set.ts'
import type { Server } from '../http/server/server.ts'
import type { Boot, CheckBoot, InstallContext, NoConfigs, ProjectContext } from './boot.ts'
import { checkDefinition } from './check-definition.ts'
import { closeServices } from '../base/close-services.ts'
import type { ClosingHost } from '../base/close-services.ts'
import { defaultStack } from './default-stack.ts'
import { bindSchedule } from './schedule/schedule.ts'
import type { BoundSchedule, Schedule } from './schedule/schedule.ts'
import { serveSchedule } from './schedule/serve-schedule.ts'
import { bindCommands } from './scripts/bound-command.ts'
import type { BoundCommand, CommandDescription } from './scripts/bound-command.ts'
import { checkSweeps } from './sweepable.ts'
import type { Sweeps } from './sweepable.ts'

/** A line of the startup banner, such as `{ label: 'database', value: 'storage/database' }`. */
export interface BannerLine {
  readonly label: string
  readonly value: string
}

/** The argument of `defineProject`. */
export interface ProjectDefinition<Configs extends ConfigScopes, Services extends object> {
  readonly name: string
  /** Configuration scopes by their name in `boot.configs`. */
  readonly configs?: Configs
  /**
   * Builds the services for routes, once in each worker. Services with a `close()` method are closed in
   * reverse order when the worker stops.
   */
  readonly services?: (boot: Boot<Configs>) => Services | Promise<Services>
  /** The manifest: the active route sets. */
  readonly routes: readonly RouteSet<Services>[]
  /** The named routes, the result of `defineRoutes`, for views; each name must have a route. */
  readonly addresses?: NamedRoutes
  /** Resources of responses: `({ database }) => ({ database: new Resources.Database(database) })`. */
  readonly resources?: (services: NoInfer<Services>) => Partial<ResponseResources>
  /** Values for `it` in every view, error pages included: `({ site }) => ({ site })`. */
  readonly globals?: (services: NoInfer<Services>) => Readonly<Record<string, unknown>>
  /**
   * More values for `it` in error pages, such as the signed-in user: `({ sessions, users }) => async
   * (request) => ({ identity })`. If it fails, they are left out.
   */
  readonly errorValues?: (services: NoInfer<Services>) => ErrorValues
  /** Adds sessions, and with them `Csrf`, to the default stack. */
  readonly sessions?: (services: NoInfer<Services>) => Middleware
  /** The store of rate limits that have none of their own. */
  readonly rateLimits?: (services: NoInfer<Services>) => RateLimitStore
  /**
   * Middlewares around every request.
   * @default defaultStack(root, { sessions })
   */
  readonly middlewares?: (
    context: Boot<NoInfer<Configs>> & { readonly services: NoInfer<Services> },
  ) => readonly Middleware[]
  /** Workers for `framework queue run <name>`: `({ mails }) => [queueWorker(mails, send)]`. */
  readonly queues?: (services: NoInfer<Services>) => readonly QueueWorker[]
  /** Commands for `framework run <name>`. */
  readonly commands?: readonly Command<NoInfer<Services>>[]
  /** Tasks that are run when they are due: `{ tasks: [digest], store: ({ database }) => new SqlSchedule(database) }`. */
  readonly schedule?: Schedule<NoInfer<Services>>
  /** Stores for `framework sweep`: `({ tokens, trust, sessions }) => ({ tokens, trust, sessions })`. */
  readonly sweeps?: (services: NoInfer<Services>) => Sweeps
  /** What `framework accounts` works with: an `AccountSupport`. */
  readonly accounts?: (services: NoInfer<Services>) => AccountSupport
  /**
   * The project's own part of `framework check`: `({ configs }) => [{ level: 'warning', what, why, fix }]`.
   * It runs at every start in production too, so it should not take long.
   */
  readonly checks?: (
    boot: CheckBoot<NoInfer<Configs>>,
  ) => readonly Finding[] | Promise<readonly Finding[]>
  /** More lines for the startup banner. */
  readonly banner?: (services: NoInfer<Services>) => readonly BannerLine[]
}

/** The services and settings of a project. */
export interface OpenedProject<Services, Configs extends ConfigScopes> {
  readonly services: Services
  readonly configs: ValuesOfScopes<Configs>
}

/** A project that can be installed on a server. */
export interface Project<
  Services extends object = object,
  Configs extends ConfigScopes = ConfigScopes,
> {
  readonly name: string
  readonly configs: Configs
  /** The names of the route sets in the manifest. */
  readonly routeSets: readonly string[]
  /**
   * Builds the services and adds them, the middlewares and the routes to the server, which closes them
   * when it closes. Resolves with the project's own lines of the startup banner.
   */
  install(
    server: Server,
    context: InstallContext<Services>,
    source: EnvSource,
  ): Promise<readonly BannerLine[]>
  /** What its commands are called and take. */
  readonly commands: readonly CommandDescription[]
  /** Builds only the services, which `host` closes. */
  open(
    host: ClosingHost,
    context: ProjectContext,
    source: EnvSource,
  ): Promise<OpenedProject<Services, Configs>>
  /** Builds only the services, which `host` closes, and returns the commands. */
  bindCommands(
    host: ClosingHost,
    context: ProjectContext,
    source: EnvSource,
  ): Promise<readonly BoundCommand[]>
  /** Builds only the services, which `host` closes, and returns the schedule; null for none. */
  schedule(
    host: ClosingHost,
    context: ProjectContext,
    source: EnvSource,
  ): Promise<BoundSchedule | null>
  /** Builds only the services, which `host` closes, and returns the queue workers. */
  queues(
    host: ClosingHost,
    context: ProjectContext,
    source: EnvSource,
  ): Promise<readonly QueueWorker[]>
  /** Builds only the services, which `host` closes, and returns the sweeps. */
  sweeps(host: ClosingHost, context: ProjectContext, source: EnvSource): Promise<Sweeps>
  /** Builds only the services, which `host` closes, and returns the support of accounts; null for none. */
  accounts(
    host: ClosingHost,
    context: ProjectContext,
    source: EnvSource,
  ): Promise<AccountSupport | null>
  /** Runs the project's own checks. */
  checks(
    context: Pick<ProjectContext, 'server' | 'environment' | 'root'>,
    source: EnvSource,
  ): Promise<readonly Finding[]>
  /** Runs the `supervise` functions of the route sets, in the primary of a fleet. */
  supervise(server: Server): void
}

/**
 * Defines a project; the result is the default export of `project.ts`.
 * @throws ConfigurationError if a part is missing or invalid.
 */
export function defineProject<
  const Configs extends ConfigScopes = NoConfigs,
  Services extends object = object,
>(definition: ProjectDefinition<Configs, Services>): Project<Services, Configs> {
  checkDefinition(definition)
  const { name, routes, commands = [] } = definition
  const configs = orNothing(definition.configs, 'configs')
  const open = async (
    host: ClosingHost,
    context: ProjectContext,
    source: EnvSource,
  ): Promise<Boot<Configs> & { readonly services: Services }> => {
    const boot = { ...context, configs: readScopes(configs, source) }
    const services = orNothing(await definition.services?.(boot), 'the result of services()')
    closeServices(host, services)
    return { ...boot, services }
  }
  const sweepsOf = (services: Services): Sweeps => {
    const sweeps = definition.sweeps?.(services) ?? {}
    checkSweeps(sweeps)
    return sweeps
  }
  const scheduleOf = async (services: Services): Promise<BoundSchedule | null> =>
    definition.schedule === undefined
      ? null
      : bindSchedule(definition.schedule, services, sweepsOf(services))
  return Object.freeze({
    name,
    configs,
    routeSets: routes.map((set) => set?.name ?? ''),
    commands,
    async install(server: Server, given: InstallContext<Services>, source: EnvSource) {
      const { builtIn, replaceServices, onInstall, ...context } = given
      const opened = await open(server, context, source)
      const services = replaceServices?.(opened.services) ?? opened.services
      const boot = { ...opened, services }
      const { logs, root } = boot
      const schedule = await scheduleOf(services)
      const tasks = schedule?.tasks ?? []
      onInstall?.({ services, queues: () => definition.queues?.(services) ?? [], tasks })
      const sessions = definition.sessions?.(services) ?? null
      const middlewares = definition.middlewares?.(boot)
      server.use(...(middlewares ?? defaultStack(root, { sessions })))
      if (definition.rateLimits !== undefined) server.rateLimits(definition.rateLimits(services))
      server.resources(definition.resources?.(services) ?? {})
      server.globals(definition.globals?.(services) ?? {}, definition.errorValues?.(services))
      if (definition.addresses !== undefined) server.addresses(definition.addresses)
      const { schedule: runs, drain } = context.server
      const scheduled = schedule === null ? [] : [serveSchedule(schedule, { logs, runs, drain })]
      server.mount([...routes, ...(builtIn ?? []), ...scheduled], services)
      // Checked at startup: `framework sweep` often runs unattended.
      sweepsOf(services)
      return definition.banner?.(services) ?? []
    },
    async open(host: ClosingHost, context: ProjectContext, source: EnvSource) {
      const boot = await open(host, context, source)
      return { services: boot.services, configs: boot.configs }
    },
    async bindCommands(host: ClosingHost, context: ProjectContext, source: EnvSource) {
      return bindCommands(commands, (await open(host, context, source)).services)
    },
    async schedule(host: ClosingHost, context: ProjectContext, source: EnvSource) {
      return scheduleOf((await open(host, context, source)).services)
    },
    async queues(host: ClosingHost, context: ProjectContext, source: EnvSource) {
      return definition.queues?.((await open(host, context, source)).services) ?? []
    },
    async sweeps(host: ClosingHost, context: ProjectContext, source: EnvSource) {
      return sweepsOf((await open(host, context, source)).services)
    },
    async accounts(host: ClosingHost, context: ProjectContext, source: EnvSource) {
      return definition.accounts?.((await open(host, context, source)).services) ?? null
    },
    async checks(
      { server, environment, root }: Pick<ProjectContext, 'server' | 'environment' | 'root'>,
      source: EnvSource,
    ) {
      const boot = { server, environment, root, configs: readScopes(configs, source) }
      return (await definition.checks?.(boot)) ?? []
    },
    supervise: (server: Server) => void server.supervise(routes),
  })
}

function orNothing<Part extends object>(given: Part | undefined, name: string): Part {
  // If the part is left out, its type parameter has its default, which an empty object satisfies.
  const part = given ?? ({} as Part)
  if (typeof part === 'object') return part
  throw new ConfigurationError('E_PROJECT', `defineProject: ${name} must be an object`)
}
