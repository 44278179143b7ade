import { hostname } from 'node:os'
import type { EnvSource } from '../../settings/env-source.ts'
import { otlpSettings } from '../../otlp/otlp-settings.ts'
import { reportsScope } from '../../incidents/incidents-settings.ts'
import { readScopes } from '../../settings/scope.ts'
import type { ServerValues } from '../../http/server/server-settings.ts'
import { Environments } from '../../settings/environments.ts'
import { releaseOf } from '../../settings/release.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import type { IncidentTarget, ReportSource } from '../../incidents/incident-target.ts'
import type { Logs } from '../../logs/logs.ts'
import type { ClosingHost } from '../../base/close-services.ts'

/** The project whose throwables and traces are sent. */
export interface ExportContext {
  /** Name of the project. */
  readonly name: string
  readonly root: string
  readonly source: EnvSource
  readonly settings: ServerValues
  readonly logs: Logs
}

/**
 * Sends reported throwables to Sentry and to a collector, as far as the settings say so, until `host`
 * closes. In tests nothing is sent.
 * @throws ConfigurationError for invalid settings.
 */
export async function exportIncidents(host: ClosingHost, context: ExportContext): Promise<void> {
  const targets = await targetsOf(context)
  if (targets.length === 0) return
  const { IncidentExporter } = await import('../../incidents/incident-exporter.ts')
  const { measureExports } = await import('../../incidents/incident-metrics.ts')
  const channel = context.logs.channel('server')
  const exporter = new IncidentExporter({
    targets,
    notice: (text, details) => channel.warn(text, { ...details }),
  })
  const stops = [Throwables.add(exporter.report), measureExports(exporter)]
  host.onClose(async () => {
    for (const stop of stops) stop()
    await exporter.close()
  })
}

// Loaded here: most processes send nothing.
async function targetsOf(context: ExportContext): Promise<readonly IncidentTarget[]> {
  const { source } = context
  if (source.environment === Environments.Test) return []
  const { sentry, logsExporter } = readScopes({ reports: reportsScope }, source).reports
  // The switch that OpenTelemetry has for everything.
  const isOff = source.lookup('OTEL_SDK_DISABLED')?.text.toLowerCase() === 'true'
  const otlp = logsExporter === 'otlp' && !isOff ? otlpSettings('LOGS', source) : null
  const targets: IncidentTarget[] = []
  if (sentry !== null) {
    const { SentryTarget } = await import('../../incidents/sentry-target.ts')
    targets.push(new SentryTarget({ dsn: sentry }, sourceOf(context)))
  }
  if (otlp !== null) {
    const { OtlpLogTarget } = await import('../../incidents/otlp-log-target.ts')
    const own = sourceOf(context)
    const { service, attributes } = otlp
    targets.push(new OtlpLogTarget(otlp, { ...own, service: service ?? own.service, attributes }))
  }
  return targets
}

function sourceOf({ name, root, source, settings }: ExportContext): ReportSource {
  return {
    service: name,
    release: releaseOf(settings.release, root),
    environment: source.environment,
    host: hostname(),
    url: settings.url.replace(/\/+$/, ''),
    root,
    attributes: {},
  }
}
