import { Compressions } from './compressions.ts'
import { parseHeaders } from './headers.ts'
import { env } from '../settings/env.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'

/** How a collector is reached: the variables that OpenTelemetry has for all kinds of telemetry. */
export interface CollectorVariables {
  readonly endpoint: Variable<string>
  readonly headers: Variable<Readonly<Record<string, string>>>
  readonly timeoutMs: Variable<number>
  readonly compression: Variable<Compressions>
  readonly service: Variable<string>
}

const text: VariableKind<string> = { expects: 'a text', parse: (given) => given }

const headerPairs: VariableKind<Readonly<Record<string, string>>> = {
  expects: 'pairs such as "name=value,other=value" with URL-encoded values',
  parse: parseHeaders,
}

/** The variables themselves. */
export const collectorVariables: CollectorVariables = Object.freeze({
  endpoint: env.url('OTEL_EXPORTER_OTLP_ENDPOINT', {
    default: 'http://localhost:4318',
    schemes: ['http', 'https'],
    meaning: 'address of the collector',
    // Some collectors expect a key in the query.
    secret: true,
  }),
  headers: env.custom('OTEL_EXPORTER_OTLP_HEADERS', headerPairs, {
    default: {},
    meaning: 'headers for the collector',
    secret: true,
  }),
  timeoutMs: env.integer('OTEL_EXPORTER_OTLP_TIMEOUT', {
    default: 10_000,
    min: 0,
    max: 3_600_000,
    meaning: 'milliseconds that one attempt may take; 0 for no limit',
  }),
  compression: env.choice('OTEL_EXPORTER_OTLP_COMPRESSION', Object.values(Compressions), {
    default: Compressions.None,
    meaning: 'compression of what is sent',
  }),
  service: env.custom('OTEL_SERVICE_NAME', text, {
    default: 'framework',
    meaning: 'name of the measured service',
  }),
})
