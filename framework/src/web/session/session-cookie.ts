import { InvalidArgumentException } from '../../base/errors.ts'
import { setCookie } from '../response/set-cookie.ts'

/** Where the session cookie is valid. Its flags are no options. */
export interface SessionCookieOptions {
  /** `session` unless given. A name that begins with `__Host-` binds the cookie to this very host. */
  readonly name?: string
  /** `/` unless given. */
  readonly path?: string
  /** The host that set it, and only that, unless given. */
  readonly domain?: string
}

/**
 * Without `Secure` the id travels in plain text, without `HttpOnly` a planted script reads it, and
 * without `SameSite=Lax` other sites send it along. No configuration can want that.
 */
const flags: ReadonlySet<string> = new Set(['secure', 'httponly', 'samesite'])

/** The cookie that carries the id: `Secure; HttpOnly; SameSite=Lax`, until the browser is closed. */
export class SessionCookie {
  readonly name: string
  readonly #path: string
  readonly #domain: string

  /**
   * @throws InvalidArgumentException for a name, path or domain that no cookie can have, for a
   *   `__Host-` name with another path or a domain, and for an attempt to change the flags.
   */
  constructor(options: SessionCookieOptions = {}) {
    const { name = 'session', path = '/', domain = '' } = options
    refuseFlags(options)
    this.name = name
    this.#path = path
    this.#domain = domain
    this.line('')
  }

  /** The `Set-Cookie` value for an id. */
  line(id: string): string {
    return setCookie(this.name, id, { path: this.#path, domain: this.#domain })
  }
}

// Programs without types get here with them.
function refuseFlags(options: object): void {
  const flag = Object.keys(options).find((key) => flags.has(key.toLowerCase()))
  if (flag === undefined) return
  throw new InvalidArgumentException(
    'E_COOKIE',
    `"${flag}" of the session cookie is no option: it is always Secure, HttpOnly and SameSite=Lax`,
  )
}
