import { succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'
import { accountOf, keepThisBrowser } from './this-browser.ts'

/** Ends every session and device of the account except those of this browser. */
export function signOutOthers({ credentials }: Services): Handler {
  return async (request, response) => {
    await credentials.endOthers(accountOf(request).id, await keepThisBrowser(request))
    return succeed(request, response, { to: '/account', message: 'Signed out everywhere else.' })
  }
}
