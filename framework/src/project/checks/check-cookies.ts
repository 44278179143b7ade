import { authScope } from '../../accounts/accounts-settings.ts'
import { sessionScope } from '../../http/session/session-settings.ts'
import type { Check } from './check-context.ts'
import { warning } from './finding.ts'
import { settingOf } from './setting-of.ts'

const hostPrefix = '__Host-'

/** Whether the cookies that sign people in are bound to the host. */
export const checkCookies: Check = (context) => {
  const { name } = sessionScope.variables
  const { rememberName } = authScope.variables
  const names = [settingOf(context, name), settingOf(context, rememberName)]
  const unbound = names.filter((cookie) => cookie !== undefined && !cookie.startsWith(hostPrefix))
  const prefix = context.source.lookup('COOKIE_PREFIX')?.text ?? ''
  if (unbound.length === 0 || prefix === hostPrefix) return []
  const what = `the names of the cookies (${unbound.join(', ')}) do not begin with ${hostPrefix}`
  const why = 'another host of the same domain can plant them in the browsers of your visitors'
  return [warning(what, why, `set COOKIE_PREFIX=${hostPrefix}`)]
}
