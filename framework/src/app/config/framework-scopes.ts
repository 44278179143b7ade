import { reportsScope } from './telemetry/reports-scope.ts'
import type { ReportsScope } from './telemetry/reports-scope.ts'
import { serverScope } from './server-scope.ts'
import type { ServerScope } from './server-scope.ts'
import { tracingScope } from './telemetry/tracing-settings.ts'
import type { TracingScope } from './telemetry/tracing-settings.ts'

/** The framework's own settings, which every project has. */
export const frameworkScopes: {
  readonly server: ServerScope
  readonly reports: ReportsScope
  readonly tracing: TracingScope
} = Object.freeze({ server: serverScope, reports: reportsScope, tracing: tracingScope })
