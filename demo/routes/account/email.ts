import { displayEmail, normalEmail } from 'framework/auth'
import { readFields, refuse, sendBack, succeed } from 'framework/http'
import type { Handler, Request, Response } from 'framework/http'
import { checkNewEmail } from '../../accounts/account-forms.ts'
import type { Services } from '../../services.ts'
import type { LinkParams } from '../auth/link.ts'
import { tokenOf } from '../auth/link.ts'
import { accountOf, byThisBrowser, keepThisBrowser } from './this-browser.ts'

const page = '/account/email'

/** Shows the form that changes the e-mail. */
export function showEmail({ pages }: Services): Handler {
  return async (request, response) =>
    pages.show(request, response, 'account/email', { sent: await request.session.flash('sent') })
}

/** Sends a link to the new address. The response is the same whether or not another account has it. */
export function requestEmail({ accountMails, emailChange, limits }: Services): Handler {
  return async (request, response) => {
    const { id, email: own } = accountOf(request)
    const fields = await readFields(request)
    const { values, errors } = await checkNewEmail(fields, own)
    if (errors !== null) return sendBack(request, response, { to: page, errors, fields })
    await limits.emailChanges.spend(request, id)
    await limits.emailMails.spend(request, normalEmail(values.email) ?? values.email)
    const asked = await emailChange.request(id, values.email, byThisBrowser(request))
    if (asked === null) return response.redirect(page)
    // Only this session can use the link: neither another browser nor whoever reads the new mailbox.
    request.session.set('email_change', asked.binding)
    accountMails.changeEmail(request, asked)
    request.session.flash('sent', values.email)
    const message = 'We sent a link to your new address. Nothing changes before you open it.'
    return succeed(request, response, { to: page, message })
  }
}

/** Opens the link in the mail to the new address. It is used up by the button on its page. */
export function showNewEmail(services: Services): Handler<LinkParams> {
  const { pages, visitors } = services
  return async (request, response) => {
    await visitors.authenticate(request, response)
    const found = await findChange(services, request)
    if (found === null) return refuseLink(request, response)
    if (found === 'elsewhere') return pages.show(request, response, 'account/email-elsewhere')
    const email = displayEmail(found.email)
    return pages.show(request, response, 'account/email-confirm', { email })
  }
}

/** Changes the e-mail and signs out every other browser. */
export function completeEmail(services: Services): Handler<LinkParams> {
  const { accountMails, emailChange, pages } = services
  return async (request, response) => {
    const { id } = accountOf(request)
    if ((await findChange(services, request)) === 'elsewhere') {
      return pages.show(request, response.status(403), 'account/email-elsewhere')
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
    accountMails.emailChanged(request, outcome)
    const message = 'E-mail changed. Other devices were signed out.'
    return succeed(request, response, { to: '/account', message })
  }
}

async function findChange({ emailChange }: Services, request: Request<LinkParams>) {
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
