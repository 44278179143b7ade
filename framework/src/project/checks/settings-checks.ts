import { authScope } from '../../accounts/accounts-settings.ts'
import { isLoopbackHost } from '../../base/network.ts'
import { keyWeakness } from '../../base/crypto/secret-key.ts'
import { nearNames } from '../../base/templates/near-names.ts'
import { serverScope } from '../../http/server/server-settings.ts'
import { sessionScope } from '../../http/session/session-settings.ts'
import type { LoadedEnvironment } from '../../settings/env-source.ts'
import { Environments } from '../../settings/environments.ts'
import { keyScope } from '../../settings/key-settings.ts'
import { given } from '../../settings/scope.ts'
import { declaredNames, error, note, settingOf, warning } from './check.ts'
import type { Check, Finding } from './check.ts'

/** The public address: links in mails, such as those that reset passwords, are built from it. */
export const checkAppUrl: Check = ({ source, server }) => {
  const fix = 'set APP_URL to the address people type, such as https://shop.example'
  if (given(serverScope.variables.url, source) === null) {
    const why = `links in mails lead to ${server.url}, the address the server listens on`
    return [error('APP_URL is not set', why, fix)]
  }
  const { protocol, hostname, origin } = new URL(server.url)
  if (isLoopbackHost(hostname)) {
    return [warning(`APP_URL is ${origin}`, 'only this machine can open links in mails', fix)]
  }
  if (protocol === 'https:') return []
  const why = 'passwords travel unencrypted, and browsers refuse cookies marked Secure'
  const tls = 'serve the site over TLS, for example behind a proxy, and start APP_URL with https://'
  return [warning('APP_URL begins with http://', why, tls)]
}

const newKey = 'set APP_KEY to 32 random bytes, as printed by `openssl rand -hex 32`'
const guessed = 'whoever guesses the key reads and forges what the application encrypts and signs'

/** The key that the application encrypts and signs with, if the project has one. */
export const checkApplicationKey: Check = (context) => {
  const current = settingOf(context, keyScope.variables.current)
  if (current === undefined) return []
  const findings: Finding[] = []
  if (current === null) {
    const why = 'the server does not start in production'
    findings.push(error('APP_KEY is not set', why, newKey))
  } else {
    const weakness = keyWeakness(current)
    if (weakness !== null) {
      findings.push(error(`APP_KEY is easy to guess: ${weakness}`, guessed, newKey))
    }
  }
  const previous = settingOf(context, keyScope.variables.previous) ?? []
  if (previous.some((key) => keyWeakness(key) !== null)) {
    const fix = 'remove it from APP_PREVIOUS_KEYS once nothing encrypted with it is left'
    findings.push(error('APP_PREVIOUS_KEYS has a key that is easy to guess', guessed, fix))
  }
  return findings
}

const environments = Object.values(Environments).filter((name) => typeof name === 'string')

/** The environment of the project, and the one that packages read. */
export const checkEnvironment: Check = ({ source }) => [
  ...checkName(source),
  ...checkPackages(source),
]

/** A misspelled name silently means production. */
function checkName({ environment, named }: LoadedEnvironment): readonly Finding[] {
  if (named !== undefined && named !== '' && !environments.some((name) => name === named)) {
    const near = nearest(named.toLowerCase())
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    const what = `FRAMEWORK_ENVIRONMENT is ${JSON.stringify(named)}, which is not an environment`
    const fix = `use one of ${environments.join(', ')}${hint}`
    return [warning(what, 'anything unknown counts as production', fix)]
  }
  if (environment !== Environments.Development && environment !== Environments.Test) return []
  const why = 'error pages show source code, and test accounts with known passwords may exist'
  const fix = 'unset FRAMEWORK_ENVIRONMENT, or set it to production, where strangers can reach it'
  return [error(`the environment is ${environment}`, why, fix)]
}

function checkPackages(source: LoadedEnvironment): readonly Finding[] {
  const name = source.lookup('NODE_ENV')?.text
  if (name !== 'development' && name !== 'test') return []
  const why = 'packages that read it are slower and may show what is for developers'
  return [warning(`NODE_ENV is ${name}`, why, 'unset NODE_ENV, or set it to production')]
}

/** Abbreviations are more common than typos. */
function nearest(name: string): string | undefined {
  return environments.find((known) => known.startsWith(name)) ?? nearNames(name, environments)[0]
}

/** Variables that begin with `APP_` and that nothing reads: a typo would otherwise go unnoticed. */
export const checkVariables: Check = ({ source, scopes }) => {
  const declared = declaredNames(scopes)
  const unknown = source
    .names()
    .filter((name) => name.startsWith('APP_') && !declared.includes(name))
  return unknown.map((name) => {
    const [near] = nearNames(name, declared, 1)
    const fix =
      near === undefined
        ? 'remove it, or declare it in a scope of the project'
        : `did you mean ${near}? Otherwise remove it, or declare it in a scope of the project`
    return warning(`${name} is set, but no setting has that name`, 'its value has no effect', fix)
  })
}

/** The proxies in front of the server, as far as the settings tell that there are some. */
export const checkProxies: Check = ({ server, tls }) => {
  const wide = server.trustedProxies.filter((proxy) => /\/0+$/.test(proxy))
  if (wide.length > 0) {
    const why = 'every visitor can claim any address, and so evade limits and bans'
    const fix = 'list only the addresses of your own proxies'
    return [warning(`TRUSTED_PROXIES trusts everybody: ${wide.join(', ')}`, why, fix)]
  }
  // The server does not serve TLS, so something else does it for the https:// of APP_URL.
  if (tls || !server.url.startsWith('https:') || server.trustedProxies.length > 0) return []
  const why = 'all visitors seem to have the address of the proxy, and limits count them as one'
  const fix = 'set TRUSTED_PROXIES to the address of the proxy that serves APP_URL'
  return [warning('APP_URL is served by a proxy, but TRUSTED_PROXIES is empty', why, fix)]
}

/** Who can read `/metrics` and `/ready`, if the project serves them. */
export const checkMetrics: Check = ({ source, server, routeSets }) => {
  if (!routeSets.includes('Observability')) return []
  const token = source.lookup('METRICS_TOKEN')?.text ?? ''
  if (token !== '' || isLoopbackHost(server.host) || server.trustedProxies.length > 0) return []
  const what = `HOST=${server.host} lets other machines reach /metrics and /ready`
  const why = 'they show how busy the site is and what it depends on'
  const fix = 'set METRICS_TOKEN, or listen on 127.0.0.1 behind a proxy listed in TRUSTED_PROXIES'
  return [warning(what, why, fix)]
}

const hostPrefix = '__Host-'

/** Whether the cookies that sign people in are bound to the host. */
export const checkCookies: Check = (context) => {
  const { name } = sessionScope.variables
  const { rememberName } = authScope.variables
  const names = [settingOf(context, name), settingOf(context, rememberName)]
  const unbound = names.filter((cookie) => cookie !== undefined && !cookie.startsWith(hostPrefix))
  const prefix = context.source.lookup('COOKIE_PREFIX')?.text ?? ''
  if (unbound.length === 0 || prefix === hostPrefix) return []
  const what = `the names of the cookies (${unbound.join(', ')}) do not begin with ${hostPrefix}`
  const why = 'another host of the same domain can plant them in the browsers of your visitors'
  return [warning(what, why, `set COOKIE_PREFIX=${hostPrefix}`)]
}

const day = 86_400

/** The longest times that make sense, in days. Browsers keep no cookie for longer than 400 of them. */
const limits = [
  [sessionScope.variables.lifetime, 90],
  [sessionScope.variables.idle, 30],
  [authScope.variables.rememberTtl, 400],
  [authScope.variables.rememberMax, 400],
] as const

/** Whether sessions and devices end before a copy of their cookie is of use for ever. */
export const checkSessions: Check = (context) => {
  const long = limits.flatMap(([variable, max]) => {
    const days = Math.round((settingOf(context, variable) ?? 0) / day)
    return days > max ? [`${variable.name} is ${days} days`] : []
  })
  if (long.length === 0) return []
  const why = 'a copied cookie, or a browser left open somewhere, opens the account for that long'
  const fix =
    'shorten it: a session needs hours or days, and remembered devices sign people in again'
  return [warning(long.join(', '), why, fix)]
}

/** Says what it means that opening a link verifies an e-mail. */
export const checkVerification: Check = (context) => {
  if (settingOf(context, authScope.variables.verify) !== 'link') return []
  const what = 'AUTH_VERIFY is link: opening a verification link is enough'
  const why =
    'a mail scanner that opens links verifies addresses too; accounts then need a code from the mailbox before they get a factor, a passkey, a token or another site'
  return [note(what, why, 'set AUTH_VERIFY=confirm to ask for a click first, or leave it')]
}
