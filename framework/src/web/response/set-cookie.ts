import { InvalidArgumentException } from '../../base/errors.ts'
import type { HeaderList } from './header-list.ts'

/** Attributes of a cookie. `maxAge` is seconds; without it the cookie ends with the browser session. */
export interface CookieOptions {
  readonly maxAge?: number
  readonly path?: string
  readonly domain?: string
  readonly secure?: boolean
  readonly httpOnly?: boolean
  readonly sameSite?: 'Strict' | 'Lax' | 'None'
}

const token = /^[\w!#$%&'*+.^`|~-]+$/
const attribute = /^[\x20-\x3a\x3c-\x7e]*$/
const hostBound = /^__host-/i

/**
 * A `Set-Cookie` value. Safe unless told otherwise: the whole site, `Secure; HttpOnly; SameSite=Lax`.
 * @throws InvalidArgumentException for a name, path or domain that could add attributes of its own.
 */
export function setCookie(name: string, value: string, options: CookieOptions = {}): string {
  const {
    maxAge,
    path = '/',
    domain = '',
    secure = true,
    httpOnly = true,
    sameSite = 'Lax',
  } = options
  if (!token.test(name))
    throw new InvalidArgumentException('E_COOKIE', `"${name}" is not a cookie name`)
  if (!attribute.test(path) || !attribute.test(domain)) {
    throw new InvalidArgumentException(
      'E_COOKIE',
      `path or domain of cookie ${name} holds a forbidden character`,
    )
  }
  if (hostBound.test(name) && (path !== '/' || domain !== '' || !secure)) {
    throw new InvalidArgumentException(
      'E_COOKIE',
      `cookie ${name} needs Secure, path "/" and no domain`,
    )
  }
  let line = `${name}=${encodeURIComponent(value)}`
  if (maxAge !== undefined) line += `; Max-Age=${Math.trunc(maxAge)}`
  if (domain !== '') line += `; Domain=${domain}`
  line += `; Path=${path}`
  if (secure) line += '; Secure'
  if (httpOnly) line += '; HttpOnly'
  return `${line}; SameSite=${sameSite}`
}

/** Where a cookie is valid. */
export interface CookiePlace {
  readonly path: string
  /** Empty for the host that set it, and only that. */
  readonly domain: string
}

/**
 * The place that a cookie of this name can have: a `__Host-` name means the whole site of this very
 * host, and browsers drop it with any other.
 */
export function placeOfCookie(name: string, place: CookiePlace): CookiePlace {
  return hostBound.test(name) ? { path: '/', domain: '' } : place
}

/** An answer, as far as its head goes. */
interface Head {
  readonly headers: HeaderList
}

/** Adds a `Set-Cookie` line that belongs to one visitor, once. */
export function sendCookie({ headers }: Head, line: string): void {
  if (headers.all('Set-Cookie').includes(line)) return
  headers.append('Set-Cookie', line)
  // A cache that others share must not hand out the cookie of one.
  if (!headers.has('Cache-Control')) headers.append('Cache-Control', 'private')
}

/** The same in place of whatever the answer says of the cookie so far: of two lines the last counts. */
export function replaceCookie(response: Head, name: string, line: string): void {
  const { headers } = response
  const others = headers.all('Set-Cookie').filter((other) => !isOf(other, name))
  headers.delete('Set-Cookie')
  for (const other of others) headers.append('Set-Cookie', other)
  sendCookie(response, line)
}

/** Whether the answer says anything of a cookie. */
export function saysCookie({ headers }: Head, name: string): boolean {
  return headers.all('Set-Cookie').some((line) => isOf(line, name))
}

function isOf(line: string, name: string): boolean {
  return line.startsWith(`${name}=`)
}
