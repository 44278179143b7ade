import type { EnvSource } from '../../settings/env-source.ts'
import type { ServerValues } from '../../http/server/server-settings.ts'
import { TraceTrust, tracingSettings } from '../../tracing/tracing-settings.ts'
import type { Environments } from '../../settings/environments.ts'
import { releaseOf } from '../../settings/release.ts'
import { Emitter } from '../../events/emitter.ts'
import type { Logs } from '../../logs/logs.ts'
import type { ClosingHost } from '../../base/close-services.ts'

/** Options of `installTracing`. */
export interface InstallTracingOptions {
  /** Name of the project. */
  readonly name: string
  /** Folder of the project. */
  readonly root: string
  readonly environment: Environments
  readonly server: Pick<ServerValues, 'release'>
  readonly logs: Logs
}

/**
 * Records traces if the environment says so. `host` exports the last ones when it has closed everything
 * that was built later.
 * @throws ConfigurationError for invalid settings.
 */
export async function installTracing(
  host: ClosingHost,
  { name, root, environment, server, logs }: InstallTracingOptions,
  source: EnvSource,
): Promise<void> {
  const settings = tracingSettings(source)
  if (settings === null) return
  // Loaded here: most processes trace nothing.
  const { createTracing } = await import('../../tracing/create-tracing.ts')
  const { traceRequests } = await import('../../http/observability/trace-requests.ts')
  const { serveOpenTelemetry } = await import('../../tracing/serve-open-telemetry.ts')
  const channel = logs.channel('tracing')
  const release = releaseOf(server.release, root)
  const tracing = createTracing({
    ...settings,
    service: settings.service ?? name,
    attributes: {
      ...(release !== '' && { 'service.version': release }),
      'deployment.environment.name': environment,
      ...settings.attributes,
    },
    told: (text, context) => channel.warn(text, context),
  })
  tracing.start()
  host.onClose(() => tracing.close())
  const trustsProxies = settings.trust === TraceTrust.Proxies
  host.onClose(traceRequests({ tracing, emitter: Emitter.Instance, trustsProxies }))
  host.onClose(serveOpenTelemetry(tracing, root))
}
