import { InvalidArgumentException } from '../../base/errors.ts'
import { cookieScope, setCookie } from '../response/set-cookie.ts'
import type { CookieScope } from '../response/set-cookie.ts'

/** Options of the session cookie. Its flags cannot be changed. */
export interface SessionCookieOptions {
  /**
   * A name that begins with `__Host-` overrides `path` and `domain`.
   * @default 'session'
   */
  readonly name?: string
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

/** The cookie that carries the id: `Secure; HttpOnly; SameSite=Lax`, until the browser is closed. */
export class SessionCookie {
  readonly name: string
  readonly #scope: CookieScope

  /**
   * @throws InvalidArgumentException for an invalid name, path or domain, or an attempt to set a flag.
   */
  constructor(options: SessionCookieOptions = {}) {
    const { name = 'session', path = '/', domain = '' } = options
    rejectFlags(options)
    this.name = name
    this.#scope = cookieScope(name, { path, domain })
    this.line('')
  }

  /** The `Set-Cookie` value for an id. */
  line(id: string): string {
    return setCookie(this.name, id, this.#scope)
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
