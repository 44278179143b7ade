import { displayEmail } from 'framework/auth'
import { refuse, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'
import { originOf } from '../auth/emit-auth-event.ts'
import type { LinkParams } from '../auth/link.ts'
import { tokenOf } from '../auth/link.ts'
import { invalidUndo, signOutHere } from './undo.ts'

/** Opens the link in the mail to a former address. It is used up by the button on its page. */
export function showEmailUndo({ emailChange, pages }: Services): Handler<LinkParams> {
  return async (request, response) => {
    const found = await emailChange.findUndo(tokenOf(request))
    if (found === null) return refuse(request, response, invalidUndo)
    const email = displayEmail(found.email)
    return pages.show(request, response, 'account/email-undo', { email })
  }
}

/** Restores a former address, signs out every browser and sends a link to choose a new password. */
export function undoEmail(services: Services): Handler<LinkParams> {
  const { accountMails, emailChange } = services
  return async (request, response) => {
    const outcome = await emailChange.undo(tokenOf(request), originOf(request))
    if (outcome === null) return refuse(request, response, invalidUndo)
    if (outcome === 'taken') {
      const message = 'Another account has this address by now. Please contact us.'
      return refuse(request, response, { ...invalidUndo, message, status: 409 })
    }
    signOutHere(services, request, response)
    await accountMails.recover(request, outcome.email)
    request.session.flash('sent', outcome.email)
    const message =
      'Your e-mail address is back and every browser was signed out. Now choose a new password with the link we sent you.'
    return succeed(request, response, { to: '/forgot', message })
  }
}
