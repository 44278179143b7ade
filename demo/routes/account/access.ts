import { refuse, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import { listWaysIn } from '../../accounts/ways-in.ts'
import type { Services } from '../../services.ts'
import { accountOf, keepThisBrowser } from './this-browser.ts'

const page = '/account/access'

/** Shows what opens the account besides its password, what was added in the last days first. */
export function showAccess(services: Services): Handler {
  const { clock, pages, users } = services
  return async (request, response) => {
    const { id } = accountOf(request)
    const own = await request.session.get('device')
    const ways = await listWaysIn(services, id, { now: clock(), own })
    request.session.delete('reset')
    const hasPassword = await users.hasPassword(id)
    return pages.show(request, response, 'account/access', { ways, hasPassword })
  }
}

/** Ends all of it, except the password and this browser. */
export function endAccess({ accountUndo, users }: Services): Handler {
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
