import { authScope } from '../../accounts/accounts-settings.ts'
import { sessionScope } from '../../http/session/session-settings.ts'
import { note, settingOf, warning } from './check.ts'
import type { Check } from './check.ts'

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

const day = 86_400

/** The longest times that make sense, in days. Browsers keep no cookie for longer than 400 of them. */
const limits = [
  [sessionScope.variables.lifetime, 90],
  [sessionScope.variables.idle, 30],
  [authScope.variables.rememberTtl, 400],
  [authScope.variables.rememberMax, 400],
] as const

/** Whether sessions and devices end before a copy of their cookie is of use for ever. */
export const checkSessions: Check = (context) => {
  const long = limits.flatMap(([variable, max]) => {
    const days = Math.round((settingOf(context, variable) ?? 0) / day)
    return days > max ? [`${variable.name} is ${days} days`] : []
  })
  if (long.length === 0) return []
  const why = 'a copied cookie, or a browser left open somewhere, opens the account for that long'
  const fix =
    'shorten it: a session needs hours or days, and remembered devices sign people in again'
  return [warning(long.join(', '), why, fix)]
}

/** Says what it means that opening a link verifies an e-mail. */
export const checkVerification: Check = (context) => {
  if (settingOf(context, authScope.variables.verify) !== 'link') return []
  const what = 'AUTH_VERIFY is link: opening a verification link is enough'
  const why =
    'a mail scanner that opens links verifies addresses too; accounts then need a code from the mailbox before they get a factor, a passkey, a token or another site'
  return [note(what, why, 'set AUTH_VERIFY=confirm to ask for a click first, or leave it')]
}
