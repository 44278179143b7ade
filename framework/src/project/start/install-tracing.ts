import { TraceTrust, tracingSettings } from '../../tracing/tracing-settings.ts'
import { releaseOf } from '../../settings/release.ts'
import { Emitter } from '../../events/emitter.ts'
import type { ClosingHost } from '../../base/close-services.ts'
import type { ExportContext } from './export-incidents.ts'

/**
 * Records traces if the environment says so. `host` exports the last ones when it has closed everything
 * that was built later.
 * @throws ConfigurationError for invalid settings.
 */
export async function installTracing(
  host: ClosingHost,
  { name, root, source, settings: { release: named }, logs }: ExportContext,
): Promise<void> {
  const settings = tracingSettings(source)
  if (settings === null) return
  // Loaded here: most processes trace nothing.
  const { createTracing } = await import('../../tracing/tracing.ts')
  const { traceRequests } = await import('../../http/observability/trace-requests.ts')
  const { serveOpenTelemetry } = await import('../../tracing/serve-open-telemetry.ts')
  const channel = logs.channel('tracing')
  const release = releaseOf(named, root)
  const tracing = createTracing({
    ...settings,
    service: settings.service ?? name,
    attributes: {
      ...(release !== '' && { 'service.version': release }),
      'deployment.environment.name': source.environment,
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
