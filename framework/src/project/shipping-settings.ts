import { resolve } from 'node:path'
import type { ShipOptions } from '../otlp/ship-metrics.ts'
import { collectorVariables } from '../otlp/otlp-settings.ts'
import { loadEnvironment } from '../settings/env-source.ts'
import type { EnvSource } from '../settings/env-source.ts'
import { readScopes, scope } from '../settings/scope.ts'
import { serverScope } from '../http/server/server-settings.ts'

/** The settings for `shipMetrics` that come from the environment. */
export type ShippingSettings = Required<
  Pick<
    ShipOptions,
    'folder' | 'maxAge' | 'endpoint' | 'service' | 'headers' | 'timeoutMs' | 'compression'
  >
>

const { observabilityFolder, observabilityMaxAge } = serverScope.variables

const shipping = scope('shipping', {
  folder: observabilityFolder,
  maxAge: observabilityMaxAge,
  ...collectorVariables,
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
  const settings = readScopes({ shipping }, source).shipping
  return { ...settings, folder: resolve(root, settings.folder) }
}
