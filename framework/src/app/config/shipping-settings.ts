import { resolve } from 'node:path'
import { Compressions } from '../../services/observability/ship/compressions.ts'
import { parseHeaders } from '../../services/observability/ship/headers.ts'
import type { ShipOptions } from '../../services/observability/ship/ship-options.ts'
import { env } from './env.ts'
import { loadEnvironment } from './env-source.ts'
import type { EnvSource } from './env-source.ts'
import { readScopes, scope } from './scope.ts'
import type { ConfigScope } from './scope.ts'
import { serverScope } from './server-scope.ts'
import type { Variable, VariableKind } from './variable.ts'

/** The settings for `shipMetrics` that come from the environment. */
export type ShippingSettings = Required<
  Pick<
    ShipOptions,
    'folder' | 'maxAge' | 'endpoint' | 'service' | 'headers' | 'timeoutMs' | 'compression'
  >
>

const text: VariableKind<string> = { expects: 'a text', parse: (given) => given }

const headerPairs: VariableKind<Readonly<Record<string, string>>> = {
  expects: 'pairs such as "name=value,other=value" with URL-encoded values',
  parse: parseHeaders,
}

const { observabilityFolder, observabilityMaxAge } = serverScope.variables

/** The scope `shipping`: the collector, and which metrics it gets. */
export const shippingScope: ConfigScope<{
  readonly folder: Variable<string>
  readonly maxAge: Variable<number>
  readonly endpoint: Variable<string>
  readonly headers: Variable<Readonly<Record<string, string>>>
  readonly timeoutMs: Variable<number>
  readonly compression: Variable<Compressions>
  readonly service: Variable<string>
}> = scope('shipping', {
  folder: observabilityFolder,
  maxAge: observabilityMaxAge,
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
    meaning: 'compression of the metrics',
  }),
  service: env.custom('OTEL_SERVICE_NAME', text, {
    default: 'framework',
    meaning: 'name of the measured service',
  }),
})

/**
 * The options of `shipMetrics` for the project in the folder `root`, from the `OTEL_…` and
 * `FRAMEWORK_OBSERVABILITY_…` variables of the process and of the project's `.env` files.
 * @throws ConfigurationError that lists all invalid values and shows no secret.
 */
export function shippingSettings(
  root: string,
  source: EnvSource = loadEnvironment({ root }),
): ShippingSettings {
  const settings = readScopes({ shipping: shippingScope }, source).shipping
  return { ...settings, folder: resolve(root, settings.folder) }
}
