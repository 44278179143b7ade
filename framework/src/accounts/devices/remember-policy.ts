import { InvalidArgumentException } from '../../base/errors.ts'
import type { Cookies } from '../../http/request/cookies.ts'
import { cookieTarget, prefixedName, setCookie } from '../../http/response/set-cookie.ts'
import type { CookiePrefix } from '../../http/response/set-cookie.ts'

/** Attributes of the remember cookie. Each flag has one possible value: a weaker policy does not compile. */
export interface RememberPolicy {
  readonly name: string
  /** The name before it got its prefix: a cookie of that name is read once and replaced. */
  readonly former?: string
  /** Seconds without a visit after which the device is forgotten. */
  readonly lifetime: number
  readonly path: string
  /** Empty for a cookie of this host only. */
  readonly domain: string
  readonly secure: true
  readonly httpOnly: true
  readonly sameSite: 'Lax'
}

/** The parts of the policy that a project may choose. */
export type RememberPolicyOptions = Partial<
  Pick<RememberPolicy, 'name' | 'lifetime' | 'path' | 'domain'>
> & {
  /** `__Host-` puts it before the name. @default '' */
  readonly prefix?: CookiePrefix
}

/**
 * A frozen policy; by default the cookie `remember`, for 30 days and the whole site. A `__Host-` name
 * overrides `path` and `domain`.
 * @throws InvalidArgumentException for an invalid name, path, domain or lifetime.
 */
export function rememberPolicy(options: RememberPolicyOptions = {}): RememberPolicy {
  const { name = 'remember', prefix = '', lifetime = 2_592_000, path = '/', domain = '' } = options
  return checkedPolicy({
    ...prefixed(prefix, name),
    lifetime,
    path,
    domain,
    secure: true,
    httpOnly: true,
    sameSite: 'Lax',
  })
}

/**
 * A frozen copy of a policy. The cookie signs in without a password: without `Secure` it could be read
 * on the network, without `HttpOnly` by an injected script, and without `SameSite=Lax` other sites
 * could make the browser send it. The types forbid weaker flags; this check is for untyped callers.
 * @throws InvalidArgumentException for a weaker flag, or an invalid name, path, domain or lifetime.
 */
export function checkedPolicy(policy: RememberPolicy): RememberPolicy {
  const { name, lifetime, secure, httpOnly, sameSite } = policy
  const { path, domain } = cookieTarget(name, policy)
  if (!isStrict(policy)) {
    throw invalidPolicy('the remember cookie is always Secure, HttpOnly and SameSite=Lax')
  }
  if (!Number.isSafeInteger(lifetime) || lifetime < 1) {
    throw invalidPolicy(
      `the lifetime of the remember cookie must be a whole number of seconds, at least 1, got ${lifetime}`,
    )
  }
  const former = policy.former === undefined ? {} : { former: policy.former }
  const flags = { secure, httpOnly, sameSite }
  const checked = Object.freeze({ name, ...former, lifetime, path, domain, ...flags })
  rememberLine(checked, '', 0)
  return checked
}

/** The `Set-Cookie` value for a token; `maxAge` 0 deletes the cookie. */
export function rememberLine(policy: RememberPolicy, value: string, maxAge: number): string {
  const { name, path, domain, secure, httpOnly, sameSite } = policy
  return setCookie(name, value, { maxAge, path, domain, secure, httpOnly, sameSite })
}

/** The `Set-Cookie` value that deletes a cookie of the former name; null if there is none. */
export function formerLine(policy: RememberPolicy, cookies: Cookies | undefined): string | null {
  const { former } = policy
  return former !== undefined && cookies?.has(former) ? setCookie(former, '', { maxAge: 0 }) : null
}

function prefixed(prefix: CookiePrefix, given: string): Pick<RememberPolicy, 'name' | 'former'> {
  const { name, former } = prefixedName(prefix, given)
  return former === undefined ? { name } : { name, former }
}

function isStrict(policy: Readonly<Record<'secure' | 'httpOnly' | 'sameSite', unknown>>): boolean {
  return policy.secure === true && policy.httpOnly === true && policy.sameSite === 'Lax'
}

function invalidPolicy(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_COOKIE', reason)
}
