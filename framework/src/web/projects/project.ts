import { readScopes } from '../../app/config/scope.ts'
import type { ConfigScopes } from '../../app/config/scope.ts'
import type { EnvSource } from '../../app/config/env-source.ts'
import { ConfigurationError } from '../../base/errors.ts'
import type { QueueWorker } from '../../services/queue/queue-worker.ts'
import type { ErrorValues } from '../errors/error-values.ts'
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts'
import type { ResponseResources } from '../response/resources/response-resources.ts'
import type { Middleware } from '../router/middleware.ts'
import type { RouteSet } from '../router/route-set.ts'
import type { Server } from '../server/server.ts'
import type { Boot, NoConfigs, Surroundings } from './boot.ts'
import { checkDefinition } from './check-definition.ts'
import { closeServices } from './close-services.ts'
import type { ClosingHost } from './close-services.ts'
import { defaultStack } from './default-stack.ts'
import { checkSweeps } from './sweepable.ts'
import type { Sweeps } from './sweepable.ts'

/** A line of the start banner, such as `{ label: 'database', value: 'storage/database' }`. */
export interface BannerLine {
  readonly label: string
  readonly value: string
}

/** What a project is made of. */
export interface ProjectDefinition<Configs extends ConfigScopes, Services extends object> {
  readonly name: string
  /** Configuration scopes by the name their values have in `boot.configs`. */
  readonly configs?: Configs
  /**
   * Builds what routes use, once in each worker. Those with a `close()` method are closed when the
   * worker stops, the last one first.
   */
  readonly services?: (boot: Boot<Configs>) => Services | Promise<Services>
  /** The manifest: a route set is on when it is listed. */
  readonly routes: readonly RouteSet<Services>[]
  /** What responses work on: `({ database }) => ({ database: new Resources.Database(database) })`. */
  readonly resources?: (services: NoInfer<Services>) => Partial<ResponseResources>
  /** What every view finds in `it`, error pages included: `({ site }) => ({ site })`. */
  readonly globals?: (services: NoInfer<Services>) => Readonly<Record<string, unknown>>
  /**
   * What error pages find in `it` besides, such as who is signed in: `({ sessions, users }) => async
   * (request) => ({ identity })`. They do without it when it fails.
   */
  readonly errorValues?: (services: NoInfer<Services>) => ErrorValues
  /** Gives the default stack sessions, and with them the guard against forged forms. */
  readonly sessions?: (services: NoInfer<Services>) => Middleware
  /** Where rate limits count that have no store of their own. */
  readonly rateLimits?: (services: NoInfer<Services>) => RateLimitStore
  /** Middlewares around every request, in place of `defaultStack(root, { sessions })`. */
  readonly middlewares?: (
    context: Boot<NoInfer<Configs>> & { readonly services: NoInfer<Services> },
  ) => readonly Middleware[]
  /** What `framework queue run <name>` works on: `({ mails }) => [queueWorker(mails, send)]`. */
  readonly queues?: (services: NoInfer<Services>) => readonly QueueWorker[]
  /** What `framework sweep` goes through: `({ tokens, trust, sessions }) => ({ tokens, trust, sessions })`. */
  readonly sweeps?: (services: NoInfer<Services>) => Sweeps
  /** More lines for the start banner. */
  readonly banner?: (services: NoInfer<Services>) => readonly BannerLine[]
}

/** A project, ready to be put into a server. */
export interface Project {
  readonly name: string
  readonly configs: ConfigScopes
  /**
   * Builds the services, and hands them with middlewares and routes to the server, which closes
   * them in the end. Resolves with the project's own lines of the start banner.
   */
  install(
    server: Server,
    surroundings: Surroundings,
    source: EnvSource,
  ): Promise<readonly BannerLine[]>
  /** Builds the services alone, for `host` to close in the end, and gives the queues listed. */
  queues(
    host: ClosingHost,
    surroundings: Surroundings,
    source: EnvSource,
  ): Promise<readonly QueueWorker[]>
  /** Builds the services alone, for `host` to close in the end, and gives what is to be swept. */
  sweeps(host: ClosingHost, surroundings: Surroundings, source: EnvSource): Promise<Sweeps>
  /** Gives the primary of a fleet what the route sets do there. */
  supervise(server: Server): void
}

/**
 * Puts a project together; `project.ts` exports the result as its default.
 * @throws ConfigurationError when a part is missing or of the wrong kind.
 */
export function defineProject<
  const Configs extends ConfigScopes = NoConfigs,
  Services extends object = object,
>(definition: ProjectDefinition<Configs, Services>): Project {
  checkDefinition(definition)
  const { name, routes } = definition
  const configs = orNothing(definition.configs, 'configs')
  const build = async (host: ClosingHost, boot: Boot<Configs>): Promise<Services> => {
    const services = orNothing(await definition.services?.(boot), 'what services() gives back')
    closeServices(host, services)
    return services
  }
  const sweepsOf = (services: Services): Sweeps => {
    const sweeps = definition.sweeps?.(services) ?? {}
    checkSweeps(sweeps)
    return sweeps
  }
  return Object.freeze({
    name,
    configs,
    async install(server: Server, surroundings: Surroundings, source: EnvSource) {
      const boot = { ...surroundings, configs: readScopes(configs, source) }
      const services = await build(server, boot)
      const sessions = definition.sessions?.(services) ?? null
      const middlewares = definition.middlewares?.({ ...boot, services })
      server.use(...(middlewares ?? defaultStack(boot.root, { sessions })))
      if (definition.rateLimits !== undefined) server.rateLimits(definition.rateLimits(services))
      server.resources(definition.resources?.(services) ?? {})
      server.globals(definition.globals?.(services) ?? {}, definition.errorValues?.(services))
      server.mount(routes, services)
      // Now, and not in the night when nobody looks at the command that needs them.
      sweepsOf(services)
      return definition.banner?.(services) ?? []
    },
    async queues(host: ClosingHost, surroundings: Surroundings, source: EnvSource) {
      const boot = { ...surroundings, configs: readScopes(configs, source) }
      const services = await build(host, boot)
      return definition.queues?.(services) ?? []
    },
    async sweeps(host: ClosingHost, surroundings: Surroundings, source: EnvSource) {
      const boot = { ...surroundings, configs: readScopes(configs, source) }
      return sweepsOf(await build(host, boot))
    },
    supervise: (server: Server) => void server.supervise(routes),
  })
}

function orNothing<Part extends object>(given: Part | undefined, name: string): Part {
  // A part that is left out has the type its parameter defaults to, and that asks for nothing.
  const part = given ?? ({} as Part)
  if (typeof part === 'object') return part
  throw new ConfigurationError('E_PROJECT', `defineProject: ${name} must be an object`)
}
