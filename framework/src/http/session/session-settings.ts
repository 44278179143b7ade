import { cookieName, cookiePrefix } from './cookie-name.ts'
import type { CookiePrefix } from './cookie-name.ts'
import { env } from '../../settings/env.ts'
import { scope } from '../../settings/scope.ts'
import type { ConfigScope, ValuesOf } from '../../settings/scope.ts'
import type { Variable } from '../../settings/variable.ts'

/** The settings for sessions. Times are in seconds. */
export type SessionScope = ConfigScope<{
  readonly name: Variable<string>
  readonly prefix: Variable<CookiePrefix>
  readonly idle: Variable<number>
  readonly lifetime: Variable<number>
}>

/** The values of the scope `session`, as `new Sessions(store, configs.session)` takes them. */
export type SessionValues = ValuesOf<SessionScope>

/** The scope `session`. The flags of the cookie are fixed, not settings. */
export const sessionScope: SessionScope = scope('session', {
  name: env.custom('SESSION_NAME', cookieName, {
    default: 'session',
    meaning: 'name of the session cookie; a name starting with __Host- binds it to the host',
  }),
  prefix: cookiePrefix,
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
