import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Crumbs } from '../../activity/crumbs.ts'
import { Environments } from '../../settings/environments.ts'
import { loadEnvironment } from '../../settings/env-source.ts'
import type { LoadEnvironmentOptions } from '../../settings/env-source.ts'
import type { ServerValues } from '../../http/server/server-settings.ts'
import { SecurityLog } from '../../accounts/security-log.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { toError } from '../../base/to-error.ts'
import { Views } from '../../base/templates/views.ts'
import { createCatcher } from '../../http/errors/catcher.ts'
import { exceptionsReporter } from '../../logs/exceptions-reporter.ts'
import type { Logs } from '../../logs/logs.ts'
import { installLogs } from '../../http/observability/install-logs.ts'
import type { TlsOptions } from '../../http/server/engine/engine.ts'
import type { ReadyCheck } from '../../http/server/readiness.ts'
import { Server } from '../../http/server/server.ts'
import { reportFailure, supervises } from '../../http/server/fleet/workers.ts'
import type { InstallContext } from '../boot.ts'
import { isWatched } from '../../http/watch/watch-messages.ts'
import { installTracing } from './install-tracing.ts'
import { exportIncidents } from './export-incidents.ts'
import { loadProject } from './load-project.ts'
import type { BannerLine, Project } from '../project.ts'
import { readSettings } from './project-settings.ts'
import type { ChosenSettings } from './project-settings.ts'
import { logWarnings, openLogs } from './project-logs.ts'
import { loggedRepeats } from '../../logs/logs-settings.ts'
import { routeSet } from '../../http/router/route-set.ts'
import type { RouteSet } from '../../http/router/route-set.ts'
import { toolPaths } from '../../devtools/tools.ts'
import { watchProfiles } from '../../devtools/profiles/take-profile.ts'
import { inspectorRoutes } from '../../devtools/inspector/inspector.ts'
import type { OpenApiRoutesOptions } from '../../openapi/open-api-routes.ts'
import {
  privateFile,
  privateFolder,
  tighten,
  tightenFolder,
} from '../../base/files/private-files.ts'
import { logFileMode } from '../../logs/log-file.ts'

/** Options of `assembleProject`. */
export interface AssembleOptions extends ChosenSettings, LoadEnvironmentOptions {
  /** @default the default export of `project.ts` */
  readonly project?: Project | undefined
  /** Serves TLS with a self-signed certificate kept in `storage/tls`. */
  readonly https?: boolean | undefined
  /** What tests do differently. */
  readonly tested?: Partial<
    Pick<InstallContext, 'storageFolder' | 'marksTexts' | 'replaceServices' | 'onInstall'>
  >
}

/** A project with its server, which is not listening yet. */
export interface AssembledProject {
  readonly project: Project
  readonly environment: Environments
  readonly settings: ServerValues
  readonly server: Server
  readonly logs: Logs
  /** The project's own lines of the startup banner; none in the primary of a fleet. */
  readonly banner: readonly BannerLine[]
}

/**
 * Loads a project and its settings and creates its server. In the primary of a fleet the server has no
 * services and routes; the workers have them.
 * @throws ConfigurationError for an invalid project or invalid settings.
 */
export async function assembleProject(options: AssembleOptions): Promise<AssembledProject> {
  try {
    return await assemble(options)
  } catch (thrown) {
    await reportFailure(toError(thrown))
    throw thrown
  }
}

async function assemble(options: AssembleOptions): Promise<AssembledProject> {
  const root = resolve(options.root)
  const source = loadEnvironment({ ...options, root })
  const { environment } = source
  const project = options.project ?? (await loadProject(root))
  const settings = readSettings(project, source, options)
  tightenStorage(root)
  const supervising = supervises(settings.workers)
  const views = supervising ? null : openViews(root, environment, project.modules.views)
  const tls = options.https === true ? await localTls(root, settings.host) : null
  const storageFolder = options.tested?.storageFolder ?? join(root, 'storage')
  const { server, logs } = createServer({ root, environment, settings, tls, views })
  const exported = { name: project.name, root, source, settings, logs }
  await exportIncidents(server, exported)
  const builtIn = await builtInRoutes({ root, name: project.name, server, environment, settings })
  if (supervising) {
    project.supervise(server)
    server.supervise(builtIn)
    const { primaryReporter } = await import('../../inbox/pending-errors.ts')
    server.onClose(Throwables.add(primaryReporter(root)))
    return { project, environment, settings, server, logs, banner: [] }
  }
  if (settings.securityLogLines > 0) {
    const log = new SecurityLog({ logs, lines: settings.securityLogLines })
    server.onClose(() => log.close())
  }
  installLogs(server, { logs, settings, environment, root })
  try {
    await installTracing(server, exported)
    const ready = (name: string, check: ReadyCheck): void => void server.ready(name, check)
    const clock = epochSeconds
    const own = { server: settings, environment, logs, root, ready, clock, builtIn }
    const context = { ...own, ...options.tested, storageFolder }
    const banner = await project.install(server, context, source)
    if (environment === Environments.Development && settings.devBadge) {
      const { Badge } = await import('../../devtools/inspector/badge.ts')
      server.use(new Badge(settings.debugRemote))
    }
    if (environment === Environments.Development && isWatched()) {
      const { LiveReload } = await import('../../http/watch/live-reload.ts')
      server.use(new LiveReload())
    }
    const tools = environment === Environments.Development ? toolsOf(server) : []
    return { project, environment, settings, server, logs, banner: [...banner, ...tools] }
  } catch (thrown) {
    await server.close()
    throw thrown
  }
}

/** Where a developer looks next. */
function toolsOf({ router }: Server): BannerLine[] {
  const patterns = new Set(router.routes().map(({ pattern }) => pattern))
  const found = toolPaths.filter((path) => patterns.has(path))
  return found.length === 0 ? [] : [{ label: 'tools', value: found.join(' ') }]
}

/** Options of `createServer`. */
interface CreateServerOptions {
  /** Folder of the project. */
  readonly root: string
  readonly environment: Environments
  readonly settings: ServerValues
  readonly tls: TlsOptions | null
  readonly views: Views | null
}

/** Creates the server of a project, without routes and middlewares, and its logs, which close with it. */
export function createServer(
  options: CreateServerOptions,
): Pick<AssembledProject, 'server' | 'logs'> {
  const { root, environment, settings, tls, views } = options
  const logs = openLogs({ root, settings, environment })
  const channel = logs.channel('server')
  const server: Server = new Server({
    environment,
    catcher: createCatcher({
      environment,
      root,
      debugRemote: settings.debugRemote,
      routes: () => server.router.routes(),
    }),
    reporter: environment === Environments.Test ? null : exceptionsReporter(logs, { root }),
    log: (text, context, level) => channel[level](text, context),
  })
    .onClose(() => logs.close())
    .onClose(logWarnings(channel, root))
    .configure({
      ...settings,
      drainTimeout: settings.drain,
      reports: join(root, 'storage', 'reports'),
      keptRequests:
        settings.keepRequests && environment !== Environments.Development
          ? join(root, 'storage', 'kept-requests.db')
          : null,
      observability: {
        folder: resolve(root, settings.observabilityFolder),
        interval: settings.observabilityInterval,
        maxAge: settings.observabilityMaxAge,
        token: settings.metricsToken,
      },
      tls,
      views,
    })
  // The debug page shows the log lines of its request.
  if (environment === Environments.Development) server.onClose(Crumbs.keep())
  return { server, logs }
}

/**
 * Takes access to what a project stores away from other users of the machine, if an earlier version or
 * somebody else left it open. New files and folders are created that way. A project that stores nothing
 * yet, or in folders of another user, is left as it is.
 */
function tightenStorage(root: string): void {
  const storage = join(root, 'storage')
  for (const name of ['exports', 'mails', 'reports', 'observability', 'tls']) {
    tightenFolder(join(storage, name), privateFile)
  }
  tightenFolder(join(storage, 'logs'), logFileMode)
  // Only the folders themselves: what else is in them belongs to the project.
  tighten(join(storage, 'cache'), privateFolder)
  tighten(storage, privateFolder)
}

function openViews(
  root: string,
  environment: Environments,
  fallbacks: readonly string[],
): Views | null {
  const folder = join(root, 'views')
  if (fallbacks.length === 0 && !existsSync(folder)) return null
  const reload = environment === Environments.Development
  const views = new Views(folder, { reload, fallbacks })
  // In development a view may be broken while it is edited; otherwise find errors before visitors do.
  if (!reload) views.check()
  return views
}

async function localTls(root: string, host: string): Promise<TlsOptions> {
  const { keptCertificate } = await import('../../base/tls/kept-certificate.ts')
  const { localHosts } = await import('../../base/tls/self-signed.ts')
  const wildcard = host === '0.0.0.0' || host === '::'
  const hosts = wildcard || localHosts.includes(host) ? localHosts : [...localHosts, host]
  return keptCertificate(join(root, 'storage', 'tls'), hosts)
}

/** The project that built-in routes are for. */
interface BuiltInContext extends Pick<OpenApiRoutesOptions, 'root' | 'name' | 'server'> {
  readonly environment: Environments
  readonly settings: Pick<ServerValues, 'debugRemote' | 'nPlusOne'>
}

/** The route sets that the framework adds to a project: in development the inspector, and its API. */
async function builtInRoutes(context: BuiltInContext): Promise<readonly RouteSet<unknown>[]> {
  const { root, name, server, environment, settings } = context
  if (environment === Environments.Test) return []
  const profiles = routeSet('Profiles', (_router, _services, host) => watchProfiles(host, root))
  if (environment !== Environments.Development) return [profiles]
  const { debugRemote: remote, nPlusOne } = settings
  // The parent of a server under `--watch`, which is connected to it. When a file was changed because of
  // what the inspector shows, that should still be there.
  const run = process.connected ? process.ppid : null
  const { openApiRoutes } = await import('../../openapi/open-api-routes.ts')
  const minRepeats = loggedRepeats(nPlusOne, environment)
  return [
    profiles,
    inspectorRoutes({ root, remote, run, minRepeats }),
    openApiRoutes({ server, root, name, remote }),
  ]
}
