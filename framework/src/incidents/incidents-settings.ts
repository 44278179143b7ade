import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope } from '../settings/scope.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'

const sentryDsn: VariableKind<SentryDsn | null> = {
  expects: 'a DSN such as https://<key>@<host>/<number of the project>, or nothing',
  acceptsEmpty: true,
  parse: (text) => (text === '' ? null : parseSentryDsn(text)),
}

/** The scope `reports`: where reported throwables are sent besides the log. */
export const reportsScope: ConfigScope<{
  readonly sentry: Variable<SentryDsn | null>
  readonly logsExporter: Variable<'none' | 'otlp'>
}> = scope('reports', {
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

/** Where a project of Sentry takes events, or of a server that speaks its protocol. */
export interface SentryDsn {
  /** The public key, which only lets events in. It is not shown either. */
  readonly key: string
  /** Origin and path of the server, without user info and project: `https://o7.ingest.sentry.io`. */
  readonly server: string
  /** Number of the project. */
  readonly project: string
}

/**
 * Parses `https://<key>@<host>/<project>`; before the project there may be a path, behind the key a
 * secret, as DSNs of old have it. Undefined if it is not one.
 */
export function parseSentryDsn(text: string): SentryDsn | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.search !== '' || url.hash !== '') return undefined
  const [, path = '', project = ''] = /^(.*)\/(\d{1,20})\/?$/.exec(url.pathname) ?? []
  // Other characters would have to be quoted in the header of a request.
  if (project === '' || !/^\w{1,128}$/.test(url.username)) return undefined
  return { key: url.username, server: url.origin + path, project }
}
