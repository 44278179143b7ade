import { InvalidArgumentException } from '../../base/errors.ts'
import type { HeaderList } from './header-list.ts'

/** Put before the names of cookies: browsers accept `__Host-` cookies only from the host itself. */
export type CookiePrefix = '' | '__Host-'

/** Attributes of a cookie. */
export interface CookieOptions {
  /** Seconds; without it the cookie ends with the browser session. */
  readonly maxAge?: number
  /** @default '/' */
  readonly path?: string
  /** @default this host only */
  readonly domain?: string
  /** @default true */
  readonly secure?: boolean
  /** @default true */
  readonly httpOnly?: boolean
  /** @default 'Lax' */
  readonly sameSite?: 'Strict' | 'Lax' | 'None'
}

const token = /^[\w!#$%&'*+.^`|~-]+$/
const attribute = /^[\x20-\x3a\x3c-\x7e]*$/
const hostBound = /^__host-/i

/**
 * A `Set-Cookie` value.
 * @throws InvalidArgumentException for a name, path or domain that could inject other attributes.
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
    throw new InvalidArgumentException('E_COOKIE', `"${name}" is not a valid cookie name`)
  if (!attribute.test(path) || !attribute.test(domain)) {
    throw new InvalidArgumentException(
      'E_COOKIE',
      `the path or domain of cookie ${name} contains a forbidden character`,
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

/** Where a cookie is sent. */
export interface CookieTarget {
  readonly path: string
  /** Empty for this host only. */
  readonly domain: string
}

/**
 * Where a cookie of that name is sent: browsers accept `__Host-` cookies only for the whole site of one host.
 */
export function cookieTarget(name: string, target: CookieTarget): CookieTarget {
  return hostBound.test(name) ? { path: '/', domain: '' } : target
}

/** A name with the prefix, and the one without it that browsers may still send. */
export interface PrefixedName {
  readonly name: string
  /** Undefined if the name already had the prefix, or gets none. */
  readonly former: string | undefined
}

/** Puts a prefix before the name of a cookie, unless it is there already. */
export function prefixedName(prefix: CookiePrefix, name: string): PrefixedName {
  if (prefix === '' || hostBound.test(name)) return { name, former: undefined }
  return { name: prefix + name, former: name }
}

interface Head {
  readonly headers: HeaderList
}

/** Adds a `Set-Cookie` line, once. */
export function sendCookie({ headers }: Head, line: string): void {
  if (headers.all('Set-Cookie').includes(line)) return
  headers.append('Set-Cookie', line)
  // A shared cache must not send this visitor's cookie to others.
  if (!headers.has('Cache-Control')) headers.append('Cache-Control', 'private')
}

/** Adds a `Set-Cookie` line, replacing earlier ones for the same cookie. */
export function replaceCookie(response: Head, name: string, line: string): void {
  const { headers } = response
  const others = headers.all('Set-Cookie').filter((other) => !isOf(other, name))
  headers.delete('Set-Cookie')
  for (const other of others) headers.append('Set-Cookie', other)
  sendCookie(response, line)
}

/** Whether the response sets a cookie. */
export function setsCookie({ headers }: Head, name: string): boolean {
  return headers.all('Set-Cookie').some((line) => isOf(line, name))
}

function isOf(line: string, name: string): boolean {
  return line.startsWith(`${name}=`)
}
