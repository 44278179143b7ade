import { loadOptional } from '../../base/load-optional.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { configuredProviders, checkProviders } from './open-id-settings.ts'
import type { OpenIdValues } from './open-id-settings.ts'
import { Environments } from '../../settings/environments.ts'
import type { OpenIdIssuer } from './open-id-issuer.ts'

/** Options of `openIssuers`. */
export interface OpenIssuersOptions {
  /** Plain HTTP to this machine is allowed in development and test only. */
  readonly environment: Environments
  /** Seconds for one request to an issuer. @default 5 */
  readonly timeout?: number
  /** Epoch seconds; for tests. */
  readonly clock?: () => number
}

/** Where an issuer on this machine needs no TLS. */
const local: ReadonlySet<Environments> = new Set([Environments.Development, Environments.Test])

/**
 * The issuers that are configured; none of them is contacted before somebody signs in. If there is one, it
 * loads the package `openid-client`.
 * @throws ConfigurationError for settings that cannot be used, or if the package is not installed.
 */
export async function openIssuers(
  values: OpenIdValues,
  { environment, timeout = 5, clock = epochSeconds }: OpenIssuersOptions,
): Promise<readonly OpenIdIssuer[]> {
  const providers = configuredProviders(values, { allowsHttp: local.has(environment) })
  if (providers.length === 0) return []
  checkProviders(providers)
  const { DiscoveredIssuer } = await loadOpenIdClient(() => import('./discovered-issuer.ts'))
  return providers.map((provider) => new DiscoveredIssuer(provider, { clock, timeout }))
}

/**
 * Loads a module that needs `openid-client`, which the project installs itself.
 * @throws ConfigurationError E_OPEN_ID that says what to install.
 */
export function loadOpenIdClient<Module>(load: () => Promise<Module>): Promise<Module> {
  const message =
    'signing in with OpenID Connect needs the package openid-client; install it with: npm install openid-client'
  return loadOptional({ names: ['openid-client'], code: 'E_OPEN_ID', message }, load)
}
