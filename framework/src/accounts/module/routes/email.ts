import { displayEmail, normalEmail } from '../../email-address.ts'
import { checkNewEmail } from '../account-forms.ts'
import type { AccountsWith } from '../account-services.ts'
import { tokenOf } from './link.ts'
import type { LinkParams } from './link.ts'
import { accountOf, byThisBrowser, keepThisBrowser, originOf } from './this-browser.ts'
import { refuse, sendBack, succeed } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Request } from '../../../http/request/request.ts'
import type { Response } from '../../../http/response/response.ts'
import type { Handler } from '../../../http/router/route.ts'
import { invalidUndo, signOutHere } from './access.ts'

type Parts = AccountsWith<'emailChange'>

const page = '/account/email'

/** Shows the form that changes the e-mail. */
export function showEmail({ pages }: Parts): Handler {
  return async (request, response) =>
    pages.show(request, response, 'accounts/email', { sent: await request.session.flash('sent') })
}

/** Sends a link to the new address. The response is the same whether or not another account has it. */
export function requestEmail({ mails, emailChange, limits }: Parts): Handler {
  return async (request, response) => {
    const { id, email: own } = accountOf(request)
    const fields = await readFields(request)
    const { values, errors } = checkNewEmail(fields, own)
    if (errors !== null) return sendBack(request, response, { to: page, errors, fields })
    await limits.emailChanges.spend(request, id)
    await limits.emailMails.spend(request, normalEmail(values.email) ?? values.email)
    const asked = await emailChange.request(id, values.email, byThisBrowser(request))
    if (asked === null) return response.redirect(page)
    // Only this session can use the link: neither another browser nor whoever reads the new mailbox.
    request.session.set('email_change', asked.binding)
    mails.changeEmail(request, asked)
    request.session.flash('sent', values.email)
    const message = 'We sent a link to your new address. Nothing changes before you open it.'
    return succeed(request, response, { to: page, message })
  }
}

/** Opens the link in the mail to the new address. It is used up by the button on its page. */
export function showNewEmail(accounts: Parts): Handler<LinkParams> {
  const { pages, visitors } = accounts
  return async (request, response) => {
    await visitors.authenticate(request, response)
    const found = await findChange(accounts, request)
    if (found === null) return refuseLink(request, response)
    if (found === 'elsewhere') return pages.show(request, response, 'accounts/email-elsewhere')
    const email = displayEmail(found.email)
    return pages.show(request, response, 'accounts/email-confirm', { email })
  }
}

/** Changes the e-mail and signs out every other browser. */
export function completeEmail(accounts: Parts): Handler<LinkParams> {
  const { mails, emailChange, pages } = accounts
  return async (request, response) => {
    const { id } = accountOf(request)
    if ((await findChange(accounts, request)) === 'elsewhere') {
      return pages.show(request, response.status(403), 'accounts/email-elsewhere')
    }
    const outcome = await emailChange.complete(tokenOf(request), id, {
      binding: await request.session.get('email_change'),
      ...(await keepThisBrowser(request)),
    })
    if (outcome === null) return refuseLink(request, response)
    if (outcome === 'taken') {
      const message = 'Another account has this e-mail address.'
      return refuse(request, response, { to: page, message, status: 409 })
    }
    request.session.delete('email_change')
    request.session.regenerate()
    mails.emailChanged(request, outcome)
    const message = 'E-mail changed. Other devices were signed out.'
    return succeed(request, response, { to: '/account', message })
  }
}

async function findChange({ emailChange }: Parts, request: Request<LinkParams>) {
  return emailChange.find(tokenOf(request), {
    user: request.identity?.id ?? null,
    binding: await request.session.get('email_change'),
  })
}

function refuseLink(request: Request<LinkParams>, response: Response): Response {
  const to = request.identity === null ? '/login' : page
  const message = 'This link is invalid or has expired.'
  return refuse(request, response, { to, message, status: 403 })
}

/** Opens the link in the mail to a former address. It is used up by the button on its page. */
export function showEmailUndo({ emailChange, pages }: Parts): Handler<LinkParams> {
  return async (request, response) => {
    const found = await emailChange.findUndo(tokenOf(request))
    if (found === null) return refuse(request, response, invalidUndo)
    const email = displayEmail(found.email)
    return pages.show(request, response, 'accounts/email-undo', { email })
  }
}

/** Restores a former address, signs out every browser and sends a link to choose a new password. */
export function undoEmail(accounts: Parts): Handler<LinkParams> {
  const { mails, emailChange } = accounts
  return async (request, response) => {
    const outcome = await emailChange.undo(tokenOf(request), originOf(request))
    if (outcome === null) return refuse(request, response, invalidUndo)
    if (outcome === 'taken') {
      const message = 'Another account has this address by now. Please contact us.'
      return refuse(request, response, { ...invalidUndo, message, status: 409 })
    }
    signOutHere(accounts, request, response)
    await mails.recover(request, outcome.email)
    request.session.flash('sent', outcome.email)
    const message =
      'Your e-mail address is back and every browser was signed out. Now choose a new password with the link we sent you.'
    return succeed(request, response, { to: '/forgot', message })
  }
}
