import { normalEmail } from 'framework/auth'
import type { MailEntry } from 'framework/auth'
import { readFields, redirectTo, refuse, sendBack, succeed } from 'framework/http'
import type { Handler, Request, Response } from 'framework/http'
import { checkForgot } from '../../accounts/account-forms.ts'
import type { Services } from '../../services.ts'
import { originOf } from './emit-auth-event.ts'

/** Seconds after which the form offers to send the mail again. */
const resendAfter = 60

/** Mails a code and a link to sign in with. The response is the same whether or not the account exists. */
export function sendSignInMail({ accountMails, limits, mailSignIn }: Services): Handler {
  return async (request, response) => {
    const fields = await readFields(request)
    const { values, errors } = await checkForgot(fields)
    if (errors !== null) return sendBack(request, response, { to: '/login/mail', errors, fields })
    await limits.signInMails.spend(request, normalEmail(values.email) ?? values.email)
    const remember = (fields['remember'] ?? '') !== ''
    await accountMails.signIn(
      request,
      await mailSignIn.begin(request.session, values.email, { remember }),
    )
    const message = 'If that e-mail has an account, we sent a code to it.'
    return succeed(request, response, { to: '/login/mail/code', message })
  }
}

/** Asks the browser that requested the mail for the code. */
export function showMailCode({ clock, mailSignIn, pages, visitors }: Services): Handler {
  return async (request, response) => {
    if (await visitors.authenticate(request, response)) return response.redirect('/account')
    const waiting = await mailSignIn.waiting(request.session)
    if (waiting === null) return response.redirect('/login/mail')
    const { email, remember, asked } = waiting
    const wait = Math.max(0, Math.ceil(asked + resendAfter - clock()))
    return pages.show(request, response, 'mail-code', { email, remember, wait })
  }
}

/** Takes the code. A wrong one and an unknown address get the same answer for the same work. */
export function enterMailCode(services: Services): Handler {
  const { limits, mailSignIn } = services
  return async (request, response) => {
    const { code = '' } = await readFields(request)
    return enterByMail(services, request, response, (email) =>
      limits.mailedCodes.run(request, email, () =>
        mailSignIn.redeemCode(request.session, code, originOf(request)),
      ),
    )
  }
}

/** Signs in whoever `redeem` accepts; it gets the address that the mail was requested for. */
export async function enterByMail(
  { mailSignIn, signIn }: Services,
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
  const to = await signIn.destination(request, '/account')
  const message = isClaimed ? 'Welcome! Your e-mail is verified.' : 'Welcome back!'
  return succeed(request, response, { to, message })
}
