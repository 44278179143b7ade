import type { Accounts } from '../account-services.ts'
import { accountOf, keepThisBrowser } from './this-browser.ts'
import { listWaysIn } from '../ways-in.ts'
import { refuse, succeed } from '../../../http/input/form-responses.ts'
import type { Handler } from '../../../http/router/route.ts'

const page = '/account/access'

/** Shows what opens the account besides its password, what was added in the last days first. */
export function showAccess(accounts: Accounts): Handler {
  const { clock, pages, users } = accounts
  return async (request, response) => {
    const { id } = accountOf(request)
    const own = await request.session.get('device')
    const ways = await listWaysIn(accounts, id, { now: clock(), own })
    request.session.delete('reset')
    const hasPassword = await users.hasPassword(id)
    return pages.show(request, response, 'accounts/access', { ways, hasPassword })
  }
}

/** Ends all of it, except the password and this browser. */
export function endAccess({ accountUndo, users }: Accounts): Handler {
  return async (request, response) => {
    const { id } = accountOf(request)
    if (!(await users.hasPassword(id))) {
      const message = 'You could not sign in any more. Choose a password first.'
      return refuse(request, response, { to: page, message, status: 409 })
    }
    if (!(await accountUndo.endAll(id, await keepThisBrowser(request)))) {
      return response.redirect(page)
    }
    request.session.regenerate()
    const message = 'All other ways in have ended, and other devices were signed out.'
    return succeed(request, response, { to: page, message })
  }
}
