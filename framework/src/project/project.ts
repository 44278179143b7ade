import { join } from 'node:path'
import { readScopes } from '../settings/scope.ts'
import type { ConfigScopes, ValuesOfScopes } from '../settings/scope.ts'
import type { EnvSource } from '../settings/env-source.ts'
import type { Finding } from './checks/check.ts'
import type { AccountSupport } from '../accounts/account-support.ts'
import type { AccountsModule, MountedAccounts } from '../accounts/module/accounts-module.ts'
import { ConfigurationError } from '../base/errors.ts'
import { defineLanguages } from '../i18n/languages.ts'
import type { Languages } from '../i18n/languages.ts'
import type { QueueWorker } from '../queue/run-queue.ts'
import type { NamedRoutes } from '../http/urls/define-routes.ts'
import type { ErrorValues } from '../http/errors/error-values.ts'
import type { RateLimitStore } from '../http/rate-limits/rate-limit-store.ts'
import type { ResponseResources } from '../http/response/database-resource.ts'
import type { Middleware } from '../http/router/middleware.ts'
import type { RouteSet } from '../http/router/route-set.ts'
import type { Server } from '../http/server/server.ts'
import type {
  Boot,
  CheckBoot,
  InstallContext,
  InstalledParts,
  NoConfigs,
  ProjectContext,
  ProvidedByModules,
} from './boot.ts'
import { checkDefinition, checkedQueues, checkedSweeps } from './check-definition.ts'
import { closeServices } from '../base/close-services.ts'
import type { ClosingHost } from '../base/close-services.ts'
import { defaultStack } from './default-stack.ts'
import { bindSchedule, serveSchedule } from './schedule.ts'
import type { BoundSchedule, Schedule } from './schedule.ts'
import { bindCommands } from './command.ts'
import type { Command, CommandDescription } from './command.ts'
import type { Sweeps } from './sweeps.ts'

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
  readonly urls?: NamedRoutes
  /** The languages of its pages and mails, the result of `defineLanguages`. @default English */
  readonly languages?: Pick<Languages, 'within' | 'problems'>
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
  /** Middlewares around every request. @default defaultStack(root, { sessions }) */
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
  /**
   * The accounts, whose routes, mails, jobs, sweeps and migrations are mounted; `services` returns what
   * `accounts.open(boot, stores)` resolves with as `accounts`. A project that builds its own from the units returns what
   * `framework accounts` works with: an `AccountSupport`.
   */
  readonly accounts?: AccountsModule | ((services: NoInfer<Services>) => AccountSupport)
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

/** The built services of a project, and what it builds on them. */
export interface OpenedProject<
  Services,
  Configs extends ConfigScopes,
> extends InstalledParts<Services> {
  readonly configs: ValuesOfScopes<Configs>
  readonly sweeps: () => Sweeps
  /** Null for none. */
  readonly accounts: () => AccountSupport | null
}

/** A project that can be installed on a server. */
export interface Project<
  Services extends object = object,
  Configs extends ConfigScopes = ConfigScopes,
> {
  readonly name: string
  readonly configs: Configs
  readonly modules: ProvidedByModules
  /** Its languages; English alone without any. */
  readonly languages: Pick<Languages, 'problems'>
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
  const { name, routes, commands = [], accounts } = definition
  const configs = orNothing(definition.configs, 'configs')
  const module = typeof accounts === 'object' ? accounts : null
  const modules = {
    views: module === null ? [] : [module.views],
    migrations: async () => (await module?.migrations()) ?? [],
    messages: module === null ? [httpMessages] : [httpMessages, module.messages],
  }
  // Without any its own English: languages have the time zone of their project.
  const { languages: known = defineLanguages({ default: 'en', messages: { en: {} } }) } = definition
  const spoken = known.within(modules.messages)
  const boot = async (
    host: ClosingHost,
    context: ProjectContext & Pick<InstallContext, 'marksTexts'>,
    source: EnvSource,
  ): Promise<Boot<Configs> & { readonly services: Services }> => {
    const { marksTexts = false, ...given } = context
    const languages = (marksTexts ? spoken.marked() : spoken).useTimeZone(given.server.timeZone)
    const own = { ...given, modules, languages, configs: readScopes(configs, source) }
    const services = orNothing(await definition.services?.(own), 'the result of services()')
    closeServices(host, services)
    return { ...own, services }
  }
  const mountOf = (services: Services): MountedAccounts | null => module?.mount(services) ?? null
  const sweepsOf = (services: Services): Sweeps => ({
    ...mountOf(services)?.sweeps,
    ...checkedSweeps(definition.sweeps?.(services) ?? {}),
  })
  const scheduleOf = async (
    services: Services,
    { timeZone }: ProjectContext['server'],
  ): Promise<BoundSchedule | null> =>
    definition.schedule === undefined
      ? null
      : bindSchedule(definition.schedule, services, { sweeps: sweepsOf(services), timeZone })
  const partsOf = (
    services: Services,
    server: ProjectContext['server'],
  ): InstalledParts<Services> => ({
    services,
    commands: () => bindCommands(commands, services),
    queues: () =>
      checkedQueues(definition.queues?.(services) ?? [], mountOf(services)?.queues ?? []),
    schedule: () => scheduleOf(services, server),
  })
  return Object.freeze<Project<Services, Configs>>({
    name,
    configs,
    modules,
    languages: spoken,
    routeSets: routes.map((set) => set?.name ?? ''),
    commands,
    async install(server, given, source) {
      const { builtIn, replaceServices, onInstall, ...context } = given
      const booted = await boot(server, context, source)
      const services = replaceServices?.(booted.services) ?? booted.services
      const { logs, root } = booted
      const schedule = await scheduleOf(services, given.server)
      onInstall?.({ ...partsOf(services, given.server), schedule: () => Promise.resolve(schedule) })
      const mounted = mountOf(services)
      if (definition.languages !== undefined || context.marksTexts === true)
        server.languages(booted.languages)
      const sessions = definition.sessions?.(services) ?? mounted?.sessions ?? null
      const middlewares = definition.middlewares?.({ ...booted, services })
      server.use(...(middlewares ?? defaultStack(root, { sessions })))
      const rateLimits = definition.rateLimits?.(services) ?? mounted?.rateLimits
      if (rateLimits !== undefined) server.rateLimits(rateLimits)
      server.resources(definition.resources?.(services) ?? {})
      server.globals(
        { ...mounted?.globals, ...definition.globals?.(services) },
        definition.errorValues?.(services) ?? mounted?.errorValues,
      )
      if (definition.urls !== undefined) server.urls(definition.urls)
      const { schedule: runs, drain } = context.server
      const scheduled = schedule === null ? [] : [serveSchedule(schedule, { logs, runs, drain })]
      server.mount([...routes, ...(builtIn ?? []), ...scheduled], services)
      if (mounted !== null) server.mount([mounted.routes], services)
      // Checked at startup: `framework sweep` often runs unattended.
      sweepsOf(services)
      return definition.banner?.(services) ?? []
    },
    async open(host, context, source) {
      const { services, configs: values } = await boot(host, context, source)
      return {
        ...partsOf(services, context.server),
        configs: values,
        sweeps: () => sweepsOf(services),
        accounts: () =>
          typeof accounts === 'function'
            ? accounts(services)
            : (mountOf(services)?.support ?? null),
      }
    },
    async checks({ server, environment, root }, source) {
      const context = { server, environment, root, configs: readScopes(configs, source) }
      return (await definition.checks?.(context)) ?? []
    },
    supervise: (server) => void server.supervise(routes),
  })
}

/** Texts of the framework itself, for those who open pages. */
const httpMessages = join(import.meta.dirname, '..', 'http', 'messages')

function orNothing<Part extends object>(given: Part | undefined, name: string): Part {
  // If the part is left out, its type parameter has its default, which an empty object satisfies.
  const part = given ?? ({} as Part)
  if (typeof part === 'object') return part
  throw new ConfigurationError('E_PROJECT', `defineProject: ${name} must be an object`)
}
