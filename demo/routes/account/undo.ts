import { refuse, succeed } from 'framework/http'
import type { Handler, Request, Response } from 'framework/http'
import { listWaysIn } from '../../accounts/ways-in.ts'
import type { Services } from '../../services.ts'
import { originOf } from '../auth/emit-auth-event.ts'
import type { LinkParams } from '../auth/link.ts'
import { tokenOf } from '../auth/link.ts'

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
export function showUndo(services: Services): Handler<LinkParams> {
  const { accountUndo, clock, pages } = services
  return async (request, response) => {
    const found = await accountUndo.find(tokenOf(request))
    if (found === null) return refuse(request, response, invalidUndo)
    const { user, kind } = found
    const ways = kind === 'all' ? await listWaysIn(services, user, { now: clock() }) : []
    return pages.show(request, response, 'account/undo', { kind, ways })
  }
}

/** Takes away what the link is for, signs out every browser and sends a link to choose a new password. */
export function undo(services: Services): Handler<LinkParams> {
  const { accountMails, accountUndo } = services
  return async (request, response) => {
    const undone = await accountUndo.undo(tokenOf(request), originOf(request))
    if (undone === null) return refuse(request, response, invalidUndo)
    signOutHere(services, request, response)
    // To the address that the account has now, which is not shown: a former mailbox may have the link.
    await accountMails.recover(request, undone.email)
    const message =
      'It is gone and every browser was signed out. Now choose a new password with the link we sent you.'
    return succeed(request, response, { to: '/forgot', message })
  }
}

/** Leaves nothing in this browser of an account whose sessions and devices have ended. */
export function signOutHere(
  { remember }: Services,
  { session }: Request<LinkParams>,
  response: Response,
): void {
  session.flush()
  session.regenerate()
  remember.forget(response)
}
