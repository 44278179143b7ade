import { hostname } from 'node:os'
import type { EnvSource } from '../../settings/env-source.ts'
import type { OtlpSettings } from '../../otlp/otlp-settings.ts'
import { otlpSettings } from '../../otlp/otlp-settings.ts'
import { reportsScope } from '../../incidents/incidents-settings.ts'
import { readScopes } from '../../settings/scope.ts'
import type { ServerValues } from '../../http/server/server-settings.ts'
import { Environments } from '../../settings/environments.ts'
import { releaseOf } from '../../settings/release.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { IncidentExporter } from '../../incidents/incident-exporter.ts'
import type { IncidentTarget } from '../../incidents/incident-target.ts'
import { measureExports } from '../../incidents/incident-metrics.ts'
import { OtlpLogTarget } from '../../incidents/otlp-log-target.ts'
import type { ReportSource } from '../../incidents/incident-target.ts'
import { SentryTarget } from '../../incidents/sentry-target.ts'
import type { Logs } from '../../logs/logs.ts'
import type { ClosingHost } from '../../base/close-services.ts'

/** The project whose throwables are sent. */
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
export function exportIncidents(host: ClosingHost, { logs, ...context }: ExportContext): void {
  const targets = targetsOf(context)
  if (targets.length === 0) return
  const channel = logs.channel('server')
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

type TargetContext = Omit<ExportContext, 'logs'>

function targetsOf(context: TargetContext): readonly IncidentTarget[] {
  const { source } = context
  if (source.environment === Environments.Test) return []
  const { sentry, logsExporter } = readScopes({ reports: reportsScope }, source).reports
  // The switch that OpenTelemetry has for everything.
  const isOff = source.lookup('OTEL_SDK_DISABLED')?.text.toLowerCase() === 'true'
  const otlp = logsExporter === 'otlp' && !isOff ? otlpSettings('LOGS', source) : null
  return [
    ...(sentry === null ? [] : [new SentryTarget({ dsn: sentry }, sourceOf(context))]),
    ...(otlp === null ? [] : [new OtlpLogTarget(otlp, otlpSourceOf(context, otlp))]),
  ]
}

function otlpSourceOf(context: TargetContext, { service, attributes }: OtlpSettings): ReportSource {
  const own = sourceOf(context)
  return { ...own, service: service ?? own.service, attributes }
}

function sourceOf({ name, root, source, settings }: TargetContext): ReportSource {
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
