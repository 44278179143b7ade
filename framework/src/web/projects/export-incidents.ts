import { hostname } from 'node:os'
import type { EnvSource } from '../../app/config/env-source.ts'
import type { OtlpSettings } from '../../app/config/telemetry/otlp-settings.ts'
import { otlpSettings } from '../../app/config/telemetry/otlp-settings.ts'
import { reportsScope } from '../../app/config/telemetry/reports-scope.ts'
import { readScopes } from '../../app/config/scope.ts'
import type { ServerValues } from '../../app/config/server-scope.ts'
import { Environments } from '../../app/environments/environments.ts'
import { releaseOf } from '../../app/environments/release.ts'
import { Throwables } from '../../base/throwables/throwables.ts'
import { IncidentExporter } from '../../services/incidents/incident-exporter.ts'
import type { IncidentTarget } from '../../services/incidents/incident-target.ts'
import { measureExports } from '../../services/incidents/measure-exports.ts'
import { OtlpLogTarget } from '../../services/incidents/otlp/otlp-log-target.ts'
import type { ReportSource } from '../../services/incidents/report-source.ts'
import { SentryTarget } from '../../services/incidents/sentry/sentry-target.ts'
import type { Logs } from '../../services/logs/logs.ts'
import type { ClosingHost } from './close-services.ts'

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
