import { InvalidArgumentException } from '../../base/errors.ts'
import type { Cookies } from '../request/cookies.ts'
import { cookieTarget, prefixedName, setCookie } from '../response/set-cookie.ts'
import type { CookiePrefix, CookieTarget } from '../response/set-cookie.ts'
import type { PresentedCookie } from './session-keeper.ts'

/** Options of the session cookie. Its flags cannot be changed. */
export interface SessionCookieOptions {
  /** A name that begins with `__Host-` overrides `path` and `domain`. @default 'session' */
  readonly name?: string
  /**
   * `__Host-` puts it before the name. A cookie without it is then read once and sent again with it.
   * @default ''
   */
  readonly prefix?: CookiePrefix
  /** @default '/' */
  readonly path?: string
  /** @default this host only */
  readonly domain?: string
}

/**
 * Without `Secure` the id travels in plain text, without `HttpOnly` an injected script can read it, and
 * without `SameSite=Lax` other sites can make the browser send it. So none of them is an option.
 */
const flags: ReadonlySet<string> = new Set(['secure', 'httponly', 'samesite'])

/** The cookie of a session: `Secure; HttpOnly; SameSite=Lax`, until the browser is closed. */
export class SessionCookie {
  readonly name: string
  readonly #target: CookieTarget
  /** The name without the prefix, and where that cookie was sent; null if there is none. */
  readonly #former: (CookieTarget & { readonly name: string }) | null

  /**
   * @throws InvalidArgumentException for an invalid name, path or domain, or an attempt to set a flag.
   */
  constructor(options: SessionCookieOptions = {}) {
    const { name = 'session', prefix = '', path = '/', domain = '' } = options
    rejectFlags(options)
    const { name: whole, former } = prefixedName(prefix, name)
    this.name = whole
    this.#target = cookieTarget(whole, { path, domain })
    this.#former = former === undefined ? null : { name: former, path, domain }
    this.line('')
  }

  /** What a request presents, under the former name if there is nothing under the present one. */
  presented(cookies: Cookies): PresentedCookie {
    const value = cookies.get(this.name)
    if (value !== undefined || this.#former === null) return { value, isFormer: false }
    const former = cookies.get(this.#former.name)
    return { value: former, isFormer: former !== undefined }
  }

  /** The `Set-Cookie` value for a value. */
  line(value: string): string {
    return setCookie(this.name, value, this.#target)
  }

  /** The `Set-Cookie` value that deletes the cookie of the former name; null if there is none. */
  formerLine(cookies: Cookies): string | null {
    const former = this.#former
    if (former === null || !cookies.has(former.name)) return null
    return setCookie(former.name, '', { path: former.path, domain: former.domain, maxAge: 0 })
  }
}

// The types have no flags; this check is for untyped callers.
function rejectFlags(options: object): void {
  const flag = Object.keys(options).find((key) => flags.has(key.toLowerCase()))
  if (flag === undefined) return
  throw new InvalidArgumentException(
    'E_COOKIE',
    `"${flag}" cannot be set: the session cookie is always Secure, HttpOnly and SameSite=Lax`,
  )
}
