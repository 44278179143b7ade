import { normalEmail } from '../../email-address.ts'
import { checkForgot } from '../account-forms.ts'
import type { Accounts } from '../account-services.ts'
import { originOf } from './this-browser.ts'
import type { MailEntry } from '../../sign-in/mail-sign-in.ts'
import { redirectTo, refuse, sendBack, succeed } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Request } from '../../../http/request/request.ts'
import type { Response } from '../../../http/response/response.ts'
import type { Handler } from '../../../http/router/route.ts'
import { tokenOf } from './link.ts'
import type { LinkParams } from './link.ts'

/** Seconds after which the form offers to send the mail again. */
const resendAfter = 60

/** Mails a code and a link to sign in with. The response is the same whether or not the account exists. */
export function sendSignInMail({ mails, limits, mailSignIn }: Accounts): Handler {
  return async (request, response) => {
    const fields = await readFields(request)
    const { values, errors } = checkForgot(fields)
    if (errors !== null) return sendBack(request, response, { to: '/login/mail', errors, fields })
    await limits.signInMails.spend(request, normalEmail(values.email) ?? values.email)
    const remember = (fields['remember'] ?? '') !== ''
    await mails.signIn(request, await mailSignIn.begin(request.session, values.email, { remember }))
    const message = 'If that e-mail has an account, we sent a code to it.'
    return succeed(request, response, { to: '/login/mail/code', message })
  }
}

/** Asks the browser that requested the mail for the code. */
export function showMailCode({ clock, mailSignIn, pages, visitors }: Accounts): Handler {
  return async (request, response) => {
    if (await visitors.authenticate(request, response)) return response.redirect('/account')
    const waiting = await mailSignIn.waiting(request.session)
    if (waiting === null) return response.redirect('/login/mail')
    const { email, remember, asked } = waiting
    const wait = Math.max(0, Math.ceil(asked + resendAfter - clock()))
    return pages.show(request, response, 'accounts/mail-code', { email, remember, wait })
  }
}

/** Takes the code. A wrong one and an unknown address get the same answer for the same work. */
export function enterMailCode(accounts: Accounts): Handler {
  const { limits, mailSignIn } = accounts
  return async (request, response) => {
    const { code = '' } = await readFields(request)
    return enterByMail(accounts, request, response, (email) =>
      limits.mailedCodes.run(request, email, () =>
        mailSignIn.redeemCode(request.session, code, originOf(request)),
      ),
    )
  }
}

/** Signs in whoever `redeem` accepts; it gets the address that the mail was requested for. */
export async function enterByMail(
  { home, mailSignIn, signIn }: Accounts,
  request: Request,
  response: Response,
  redeem: (email: string) => Promise<MailEntry | null>,
): Promise<Response> {
  const waiting = await mailSignIn.waiting(request.session)
  if (waiting === null) {
    const message = 'Please ask for a code in this browser first.'
    return refuse(request, response, { to: '/login/mail', message, status: 403 })
  }
  const { email } = waiting
  const entry = await redeem(normalEmail(email) ?? email)
  if (entry === null) {
    signIn.refuse(request, email)
    const message = 'This code is wrong or no longer valid. You can ask for a new one.'
    return refuse(request, response, { to: '/login/mail/code', message, status: 401 })
  }
  const { identity, remember, isClaimed } = entry
  const outcome = await signIn.enter(request, response, identity, { way: 'mail', remember })
  if (outcome === 'pending') return redirectTo(request, response, '/login/factor')
  const to = await signIn.destination(request, home)
  const message = isClaimed ? 'Welcome! Your e-mail is verified.' : 'Welcome back!'
  return succeed(request, response, { to, message })
}

/**
 * Opens the link in the sign-in mail. It asks for a click in the browser that requested the mail, and any
 * other, such as that of a mail scanner, is told where to go. Opening it uses nothing up.
 */
export function openMailLink({ mailSignIn, pages, visitors }: Accounts): Handler<LinkParams> {
  return async (request, response) => {
    if (await visitors.authenticate(request, response)) return response.redirect('/account')
    const waiting = await mailSignIn.waiting(request.session)
    return pages.show(request, response, 'accounts/mail-link', { email: waiting?.email ?? null })
  }
}

/** Signs in after the click that `openMailLink` asked for. */
export function pressMailLink(accounts: Accounts): Handler<LinkParams> {
  const { mailSignIn } = accounts
  return (request, response) =>
    enterByMail(accounts, request, response, () =>
      mailSignIn.redeemLink(request.session, tokenOf(request), originOf(request)),
    )
}
