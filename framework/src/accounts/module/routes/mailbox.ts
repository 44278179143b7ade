import type { Accounts } from '../account-services.ts'
import { accountOf, byThisBrowser } from './this-browser.ts'
import { redirectTo, sendBack, succeed } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Request } from '../../../http/request/request.ts'
import type { Handler } from '../../../http/router/route.ts'

const page = '/account/mailbox'

/**
 * Asks for a mailed code, if the address was verified by a link that was opened elsewhere: a mail scanner may
 * have done that, so whoever has registered may not be the owner of the address.
 */
export function showMailbox(accounts: Accounts): Handler {
  const { mailSignIn, pages } = accounts
  return async (request, response) => {
    if (!(await isAsked(accounts, request))) return response.redirect('/account')
    const waiting = await mailSignIn.waiting(request.session)
    const isSent = waiting?.email === accountOf(request).email
    return pages.show(request, response, 'accounts/mailbox', { isSent })
  }
}

/** Mails the code. */
export function sendMailboxCode(accounts: Accounts): Handler {
  const { mails, limits, mailSignIn } = accounts
  return async (request, response) => {
    if (!(await isAsked(accounts, request))) return response.redirect('/account')
    const { email } = accountOf(request)
    await limits.mailboxMails.spend(request, email)
    const asked = await mailSignIn.begin(request.session, email)
    await mails.signIn(request, asked, { proves: true })
    return succeed(request, response, { to: page, message: 'We sent a code to your address.' })
  }
}

/** Takes the code, in the session that asked for it, and goes on to the page that was asked for. */
export function enterMailboxCode({ limits, mailSignIn, signIn }: Accounts): Handler {
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
async function isAsked({ users }: Accounts, { identity }: Request): Promise<boolean> {
  return identity?.verified === true && !(await users.isProven(identity.id))
}
