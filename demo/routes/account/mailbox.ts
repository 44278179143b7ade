import { readFields, redirectTo, sendBack, succeed } from 'framework/http'
import type { Handler, Request } from 'framework/http'
import type { Services } from '../../services.ts'
import { accountOf, byThisBrowser } from './this-browser.ts'

const page = '/account/mailbox'

/**
 * Asks for a mailed code, if the address was verified by a link that was opened elsewhere: a mail scanner may
 * have done that, so whoever has registered may not be the owner of the address.
 */
export function showMailbox(services: Services): Handler {
  const { mailSignIn, pages } = services
  return async (request, response) => {
    if (!(await isAsked(services, request))) return response.redirect('/account')
    const waiting = await mailSignIn.waiting(request.session)
    const isSent = waiting?.email === accountOf(request).email
    return pages.show(request, response, 'account/mailbox', { isSent })
  }
}

/** Mails the code. */
export function sendMailboxCode(services: Services): Handler {
  const { accountMails, limits, mailSignIn } = services
  return async (request, response) => {
    if (!(await isAsked(services, request))) return response.redirect('/account')
    const { email } = accountOf(request)
    await limits.mailboxMails.spend(request, email)
    const asked = await mailSignIn.begin(request.session, email)
    await accountMails.signIn(request, asked, { proves: true })
    return succeed(request, response, { to: page, message: 'We sent a code to your address.' })
  }
}

/** Takes the code, in the session that asked for it, and goes on to the page that was asked for. */
export function enterMailboxCode({ limits, mailSignIn, signIn }: Services): Handler {
  return async (request, response) => {
    const { id, email } = accountOf(request)
    const fields = await readFields(request)
    const isRight = await limits.mailedCodes.run(request, email, () =>
      mailSignIn.proveCode(request.session, id, fields['code'] ?? '', byThisBrowser(request)),
    )
    if (!isRight) {
      const errors = { code: ['This code is wrong or no longer valid.'] }
      return sendBack(request, response, { to: page, errors, fields })
    }
    return redirectTo(request, response, await signIn.destination(request, '/account'))
  }
}

// An address that is not verified at all gets its link first.
async function isAsked({ users }: Services, { identity }: Request): Promise<boolean> {
  return identity?.verified === true && !(await users.isProven(identity.id))
}
