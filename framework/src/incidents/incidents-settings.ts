import { parseSentryDsn } from './sentry/sentry-dsn.ts'
import type { SentryDsn } from './sentry/sentry-dsn.ts'
import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope, ValuesOf } from '../settings/scope.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'

/** Settings that say where reported throwables are sent. */
export type ReportsScope = ConfigScope<{
  readonly sentry: Variable<SentryDsn | null>
  readonly logsExporter: Variable<'none' | 'otlp'>
}>

/** The values of these settings. */
export type ReportsValues = ValuesOf<ReportsScope>

const sentryDsn: VariableKind<SentryDsn | null> = {
  expects: 'a DSN such as https://<key>@<host>/<number of the project>, or nothing',
  acceptsEmpty: true,
  parse: (text) => (text === '' ? null : parseSentryDsn(text)),
}

/** The scope `reports`: where reported throwables are sent besides the log. */
export const reportsScope: ReportsScope = scope('reports', {
  sentry: env.custom('SENTRY_DSN', sentryDsn, {
    default: null,
    secret: true,
    meaning: 'project of Sentry that gets the errors; empty for none',
  }),
  logsExporter: env.choice('OTEL_LOGS_EXPORTER', ['none', 'otlp'], {
    default: 'none',
    meaning: 'whether errors are sent to a collector as logs',
  }),
})
