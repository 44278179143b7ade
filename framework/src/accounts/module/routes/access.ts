import type { Accounts } from '../account-services.ts'
import { accountOf, keepThisBrowser, originOf } from './this-browser.ts'
import { tokenOf } from './link.ts'
import type { LinkParams } from './link.ts'
import { listWaysIn } from '../ways-in.ts'
import { refuse, succeed } from '../../../http/input/form-responses.ts'
import type { Request } from '../../../http/request/request.ts'
import type { Response } from '../../../http/response/response.ts'
import type { Handler } from '../../../http/router/route.ts'

const page = '/account/access'

/** Shows what opens the account besides its password, what was added in the last days first. */
export function showAccess(accounts: Accounts): Handler {
  const { clock, pages, users } = accounts
  return async (request, response) => {
    const { id } = accountOf(request)
    const own = await request.session.get('device')
    const ways = await listWaysIn(accounts, id, { now: clock(), own, t: request.t })
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

/** The response to a link that was used or has expired. */
export const invalidUndo = {
  to: '/login',
  message: 'This link is invalid or has expired.',
  status: 403,
} as const

/**
 * Opens the link in the mail about something that was added to an account, or about its new password. It is
 * used up by the button on its page.
 */
export function showUndo(accounts: Accounts): Handler<LinkParams> {
  const { accountUndo, clock, pages } = accounts
  return async (request, response) => {
    const found = await accountUndo.find(tokenOf(request))
    if (found === null) return refuse(request, response, invalidUndo)
    const { user, kind } = found
    const told = { now: clock(), t: request.t }
    const ways = kind === 'all' ? await listWaysIn(accounts, user, told) : []
    return pages.show(request, response, 'accounts/undo', { kind, ways })
  }
}

/** Takes away what the link is for, signs out every browser and sends a link to choose a new password. */
export function undo(accounts: Accounts): Handler<LinkParams> {
  const { mails, accountUndo } = accounts
  return async (request, response) => {
    const undone = await accountUndo.undo(tokenOf(request), originOf(request))
    if (undone === null) return refuse(request, response, invalidUndo)
    signOutHere(accounts, request, response)
    // To the address that the account has now, which is not shown: a former mailbox may have the link.
    await mails.recover(request, undone.email)
    const message =
      'It is gone and every browser was signed out. Now choose a new password with the link we sent you.'
    return succeed(request, response, { to: '/forgot', message })
  }
}

/** Leaves nothing in this browser of an account whose sessions and devices have ended. */
export function signOutHere(
  { remember }: Accounts,
  { session }: Request<LinkParams>,
  response: Response,
): void {
  session.flush()
  session.regenerate()
  remember.forget(response)
}
