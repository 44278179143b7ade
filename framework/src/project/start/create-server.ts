import { join, resolve } from 'node:path'
import type { ServerValues } from '../../http/server/server-settings.ts'
import { Environments } from '../../settings/environments.ts'
import type { Views } from '../../base/templates/views.ts'
import { exceptionsReporter } from '../../logs/exceptions-reporter.ts'
import type { Logs } from '../../logs/logs.ts'
import { RecentLines } from '../../logs/recent-lines.ts'
import { createCatcher } from '../../http/errors/catcher.ts'
import type { TlsOptions } from '../../http/server/engine/engine.ts'
import { Server } from '../../http/server/server.ts'
import { logSection, logWarnings, openLogs } from './project-logs.ts'

/** Options of `createServer`. */
export interface CreateServerOptions {
  /** Folder of the project. */
  readonly root: string
  readonly environment: Environments
  readonly settings: ServerValues
  readonly tls: TlsOptions | null
  readonly views: Views | null
}

/** Creates the server of a project, without routes and middlewares, and its logs, which close with it. */
export function createServer(options: CreateServerOptions): {
  readonly server: Server
  readonly logs: Logs
} {
  const { root, environment, settings, tls, views } = options
  const recent = environment === Environments.Development ? new RecentLines() : null
  const logs = openLogs({ root, settings, environment, recent })
  const channel = logs.channel('server')
  const server: Server = new Server({
    environment,
    catcher: createCatcher({
      environment,
      root,
      debugRemote: settings.debugRemote,
      routes: () => server.router.routes(),
      context: ({ id }) => (recent === null ? {} : logSection(recent, id)),
    }),
    reporter: environment === Environments.Test ? null : exceptionsReporter(logs, { root }),
    log: (text, context, level) => channel[level](text, context),
  })
    .onClose(() => logs.close())
    .onClose(logWarnings(channel))
    .configure({
      ...settings,
      drainTimeout: settings.drain,
      reports: join(root, 'storage', 'reports'),
      observability: {
        folder: resolve(root, settings.observabilityFolder),
        interval: settings.observabilityInterval,
        maxAge: settings.observabilityMaxAge,
        token: settings.metricsToken,
      },
      tls,
      views,
    })
  return { server, logs }
}
