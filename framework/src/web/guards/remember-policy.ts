import { InvalidArgumentException } from '../../base/errors.ts'
import { placeOfCookie, setCookie } from '../response/set-cookie.ts'

/** The cookie of trusted devices. Its flags have one value each: a weaker policy does not compile. */
export interface RememberPolicy {
  readonly name: string
  /** Seconds without a visit after which the device is forgotten. */
  readonly lifetime: number
  readonly path: string
  /** Empty for the host that set it, and only that. */
  readonly domain: string
  readonly secure: true
  readonly httpOnly: true
  readonly sameSite: 'Lax'
}

/** What a project may choose of the policy. */
export type RememberPolicyOptions = Partial<
  Pick<RememberPolicy, 'name' | 'lifetime' | 'path' | 'domain'>
>

/**
 * A policy, frozen: the cookie `remember` of 30 days on the whole site unless told otherwise. A
 * `__Host-` name binds it to this very host, whatever path and domain say.
 * @throws InvalidArgumentException for a name, path, domain or lifetime that no cookie can have.
 */
export function rememberPolicy(options: RememberPolicyOptions = {}): RememberPolicy {
  const { name = 'remember', lifetime = 2_592_000, path = '/', domain = '' } = options
  return checkedPolicy({
    name,
    lifetime,
    path,
    domain,
    secure: true,
    httpOnly: true,
    sameSite: 'Lax',
  })
}

/**
 * A frozen copy of a policy. The cookie signs in without a password, so without `Secure` it would be
 * read on the way, without `HttpOnly` by a planted script, and without `SameSite=Lax` sent along by
 * other sites; programs without types are told so.
 * @throws InvalidArgumentException for such a policy, and as `rememberPolicy`.
 */
export function checkedPolicy(policy: RememberPolicy): RememberPolicy {
  const { name, lifetime, secure, httpOnly, sameSite } = policy
  const { path, domain } = placeOfCookie(name, policy)
  if (!isStrict(policy)) {
    throw invalidPolicy('the remember cookie is always Secure, HttpOnly and SameSite=Lax')
  }
  if (!Number.isSafeInteger(lifetime) || lifetime < 1) {
    throw invalidPolicy(
      `lifetime of the remember cookie is whole seconds from 1 on, got ${lifetime}`,
    )
  }
  const checked = Object.freeze({ name, lifetime, path, domain, secure, httpOnly, sameSite })
  rememberLine(checked, '', 0)
  return checked
}

/** The `Set-Cookie` value for a token; `maxAge` 0 takes the cookie away. */
export function rememberLine(policy: RememberPolicy, value: string, maxAge: number): string {
  const { name, path, domain, secure, httpOnly, sameSite } = policy
  return setCookie(name, value, { maxAge, path, domain, secure, httpOnly, sameSite })
}

function isStrict(policy: Readonly<Record<'secure' | 'httpOnly' | 'sameSite', unknown>>): boolean {
  return policy.secure === true && policy.httpOnly === true && policy.sameSite === 'Lax'
}

function invalidPolicy(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_COOKIE', reason)
}
