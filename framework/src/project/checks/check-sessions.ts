import { authScope } from '../../accounts/accounts-settings.ts'
import { sessionScope } from '../../http/session/session-settings.ts'
import type { Check } from './check-context.ts'
import { warning } from './finding.ts'
import { settingOf } from './setting-of.ts'

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
