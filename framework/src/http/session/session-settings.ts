import { env } from '../../settings/env.ts'
import { scope } from '../../settings/scope.ts'
import type { ConfigScope, ValuesOf } from '../../settings/scope.ts'
import type { Variable, VariableKind } from '../../settings/variable.ts'
import type { CookiePrefix } from '../response/set-cookie.ts'

/** A cookie name. Stricter than the standard: only characters that need no quoting. */
export const cookieName: VariableKind<string> = {
  expects: 'a cookie name of letters, digits and -_.',
  parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
}

/** The values of the scope `session`, as `new Sessions(store, configs.session)` takes them. */
export type SessionValues = ValuesOf<typeof sessionScope>

/** The scope `session`. The flags of the cookie are fixed, not settings. */
export const sessionScope: ConfigScope<{
  readonly name: Variable<string>
  readonly prefix: Variable<CookiePrefix>
  readonly idle: Variable<number>
  readonly lifetime: Variable<number>
}> = scope('session', {
  name: env.custom('SESSION_NAME', cookieName, {
    default: 'session',
    meaning: 'name of the session cookie; a name starting with __Host- binds it to the host',
  }),
  prefix: env.choice('COOKIE_PREFIX', ['', '__Host-'], {
    default: '',
    meaning: '__Host- binds the session and device cookies to this host; use it with HTTPS',
  }),
  idle: env.integer('SESSION_IDLE', {
    default: 7200,
    min: 120,
    meaning: 'seconds without a request after which a session ends',
  }),
  lifetime: env.integer('SESSION_LIFETIME', {
    default: 86_400,
    min: 120,
    meaning: 'seconds after which a session ends, however often it is used',
  }),
})
