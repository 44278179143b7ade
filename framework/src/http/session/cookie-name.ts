import { env } from '../../settings/env.ts'
import type { Variable, VariableKind } from '../../settings/variable.ts'

/** A cookie name. Stricter than the standard: only characters that need no quoting. */
export const cookieName: VariableKind<string> = {
  expects: 'a cookie name of letters, digits and -_.',
  parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
}

/** Put before the names of cookies: browsers accept `__Host-` cookies only from the host itself. */
export type CookiePrefix = '' | '__Host-'

/** The prefix of the session and device cookies. */
export const cookiePrefix: Variable<CookiePrefix> = env.choice('COOKIE_PREFIX', ['', '__Host-'], {
  default: '',
  meaning: '__Host- binds the session and device cookies to this host; use it with HTTPS',
})
