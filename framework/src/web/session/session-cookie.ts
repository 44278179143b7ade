import { InvalidArgumentException } from '../../base/errors.ts'
import { placeOfCookie, setCookie } from '../response/set-cookie.ts'
import type { CookiePlace } from '../response/set-cookie.ts'

/** Where the session cookie is valid. Its flags are no options. */
export interface SessionCookieOptions {
  /**
   * A name that begins with `__Host-` binds the cookie to this very host, whatever path and domain say.
   * @default 'session'
   */
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
  readonly #place: CookiePlace

  /**
   * @throws InvalidArgumentException for a name, path or domain that no cookie can have, and for an
   *   attempt to change the flags.
   */
  constructor(options: SessionCookieOptions = {}) {
    const { name = 'session', path = '/', domain = '' } = options
    refuseFlags(options)
    this.name = name
    this.#place = placeOfCookie(name, { path, domain })
    this.line('')
  }

  /** The `Set-Cookie` value for an id. */
  line(id: string): string {
    return setCookie(this.name, id, this.#place)
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
