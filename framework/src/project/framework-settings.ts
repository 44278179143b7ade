import { reportsScope } from '../incidents/incidents-settings.ts'
import type { ReportsScope } from '../incidents/incidents-settings.ts'
import { serverScope } from '../http/server/server-settings.ts'
import type { ServerScope } from '../http/server/server-settings.ts'
import { tracingScope } from '../tracing/tracing-settings.ts'
import type { TracingScope } from '../tracing/tracing-settings.ts'

/** The framework's own settings, which every project has. */
export const frameworkScopes: {
  readonly server: ServerScope
  readonly reports: ReportsScope
  readonly tracing: TracingScope
} = Object.freeze({ server: serverScope, reports: reportsScope, tracing: tracingScope })
