import { ConfigurationError, invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import { env } from '../../settings/env.ts'
import { scope } from '../../settings/scope.ts'
import type { ConfigScope } from '../../settings/scope.ts'
import type { Variable } from '../../settings/variable.ts'
import { isLoopbackHost } from '../../base/network.ts'
import type { OpenIdIssuer } from './open-id-issuer.ts'

/** The values of the scope `oidc`, by the names of the variables. */
export type OpenIdValues = Readonly<Record<string, string | boolean>>

/** A site whose accounts people can sign in with, as it is configured. */
export interface OpenIdProvider extends Pick<
  OpenIdIssuer,
  'name' | 'label' | 'trustsEmail' | 'registers'
> {
  /** The address of the issuer. Its metadata are at `/.well-known/openid-configuration` below it. */
  readonly issuer: string
  readonly clientId: string
  /** Empty for a public client, which has only PKCE. */
  readonly clientSecret: string
  /** Whether the issuer may be asked without TLS. */
  readonly allowsHttp: boolean
}

const nameForm = /^[a-z][a-z0-9_]{0,31}$/

const maxIssuerLength = 255

/**
 * The scope `oidc` for sites by these names: `openIdScope('company', 'school')`. Each has its own
 * variables, `OIDC_COMPANY_ISSUER` and so on; one without an issuer is not offered.
 * @throws InvalidArgumentException for a name that is not in lower-case letters, digits and `_`.
 */
export function openIdScope(
  ...names: readonly string[]
): ConfigScope<Readonly<Record<string, Variable<string | boolean>>>> {
  const variables: Record<string, Variable<string | boolean>> = {}
  for (const name of names) {
    if (!nameForm.test(name)) throw invalidName(name)
    for (const variable of variablesOf(name)) variables[variable.name] = variable
  }
  return scope('oidc', variables)
}

/** The providers that have an issuer, in the order of their names in the scope. */
export function configuredProviders(
  values: OpenIdValues,
  { allowsHttp }: Pick<OpenIdProvider, 'allowsHttp'>,
): readonly OpenIdProvider[] {
  const issuers = Object.entries(values).filter(
    ([variable, value]) => variable.endsWith('_ISSUER') && value !== '',
  )
  return issuers.map(([variable, issuer]) => {
    const prefix = variable.slice(0, -'_ISSUER'.length)
    const text = (name: string): string => String(values[`${prefix}_${name}`] ?? '')
    const name = prefix.slice('OIDC_'.length).toLowerCase()
    return {
      name,
      label: text('LABEL'),
      issuer: String(issuer),
      clientId: text('CLIENT_ID'),
      clientSecret: text('CLIENT_SECRET'),
      trustsEmail: values[`${prefix}_TRUST_EMAIL`] === true,
      registers: values[`${prefix}_REGISTER`] === true,
      allowsHttp,
    }
  })
}

/**
 * Checks that providers can be used together: HTTPS, or plain HTTP on this machine with `allowsHttp`, and one
 * of each issuer.
 * @throws ConfigurationError
 */
export function checkProviders(providers: readonly OpenIdProvider[]): void {
  const issuers = new Set<string>()
  for (const { name, issuer, clientId, allowsHttp } of providers) {
    const prefix = `OIDC_${name.toUpperCase()}`
    const url = URL.parse(issuer)
    const isLocal = url !== null && allowsHttp && isLoopbackHost(url.hostname)
    if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal))) {
      throw unusable(
        `${prefix}_ISSUER must be a URL that begins with https://; http:// works for this machine in development and test`,
      )
    }
    if (issuer.length > maxIssuerLength || url.search !== '' || url.hash !== '') {
      throw unusable(
        `${prefix}_ISSUER must have at most ${maxIssuerLength} characters, and no ? or #`,
      )
    }
    if (clientId === '') {
      throw unusable(`${prefix}_CLIENT_ID is missing; the issuer gives one to each site it knows`)
    }
    if (issuers.has(url.href)) throw unusable(`${prefix}_ISSUER is the issuer of another name too`)
    issuers.add(url.href)
  }
}

function variablesOf(name: string): readonly Variable<string | boolean>[] {
  const prefix = `OIDC_${name.toUpperCase()}`
  const label = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
  const text = (
    suffix: string,
    meaning: string,
    more: { readonly default?: string; readonly secret?: boolean } = {},
  ): Variable<string> => env.string(`${prefix}_${suffix}`, { default: '', meaning, ...more })
  const flag = (suffix: string, meaning: string, value: boolean): Variable<boolean> =>
    env.boolean(`${prefix}_${suffix}`, { default: value, meaning })
  return [
    text('ISSUER', `address of the OpenID Connect issuer ${name}; empty for none`),
    text('CLIENT_ID', `id that ${name} has given this site`),
    text('CLIENT_SECRET', `secret that ${name} has given this site; empty for a public client`, {
      secret: true,
    }),
    text('LABEL', `name of ${name} on its button`, { default: label }),
    flag(
      'TRUST_EMAIL',
      `whether an e-mail that ${name} has verified counts as verified here`,
      false,
    ),
    flag(
      'REGISTER',
      `whether people of ${name} without an account get one; needs a trusted e-mail`,
      true,
    ),
  ]
}

function invalidName(name: string): InvalidArgumentException {
  return invalidArgument(
    `the name of an OpenID Connect issuer must have lower-case letters, digits and _, at most 32, got "${name}"`,
  )
}

function unusable(text: string): ConfigurationError {
  return new ConfigurationError('E_OPEN_ID', text)
}
