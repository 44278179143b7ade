import { displayEmail } from '../../email-address.ts'
import type { Accounts } from '../account-services.ts'
import { originOf, accountOf, byThisBrowser } from './this-browser.ts'
import { tokenOf } from './link.ts'
import type { LinkParams } from './link.ts'
import { Purposes } from '../../tokens/token.ts'
import { refuse, succeed, redirectTo, sendBack } from '../../../http/input/form-responses.ts'
import type { Request } from '../../../http/request/request.ts'
import type { Response } from '../../../http/response/response.ts'
import type { Handler } from '../../../http/router/route.ts'
import { HttpError } from '../../../http/errors/http-error.ts'
import { readFields } from '../../../http/input/read-fields.ts'

/**
 * Seconds for which a used link is recognised. The tokens table keeps a receipt, digests only; a session
 * could not, since people open the link again in another browser or days later.
 */
const receipt = 2_592_000

/**
 * Opens the link in the verification mail: redeems it, or with AUTH_VERIFY=confirm asks for a click unless
 * the browser is signed in.
 */
export function openVerification(accounts: Accounts): Handler<LinkParams> {
  const { asksToVerify, pages, tokens, users, visitors } = accounts
  return async (request, response) => {
    // Link scanners open links before people do, and this one works only once.
    if (isPreview(request)) return response.status(204).empty()
    if (asksToVerify && !(await visitors.authenticate(request, response))) {
      const owner = await tokens.owner(tokenOf(request), Purposes.Verification)
      const identity = owner === null ? null : await users.find(owner)
      if (identity !== null) {
        const email = displayEmail(identity.email)
        return pages.show(request, response, 'accounts/verify', { email })
      }
    }
    return redeem(accounts, request, response)
  }
}

/** Redeems the link after the click that `openVerification` asked for. */
export function confirmVerification(accounts: Accounts): Handler<LinkParams> {
  return (request, response) => redeem(accounts, request, response)
}

async function redeem(
  { credentials, signIn, tokens, visitors }: Accounts,
  request: Request<LinkParams>,
  response: Response,
): Promise<Response> {
  const token = tokenOf(request)
  const isSignedIn = await visitors.authenticate(request, response)
  const { identity, session } = request
  const by = identity?.id ?? null
  const verified = await credentials.verifyEmail(token, { receipt, by, ...originOf(request) })
  // On to the page that asked for it.
  const verifiedTo = async (): Promise<Response> => {
    const to = isSignedIn ? await signIn.destination(request, '/account') : '/login'
    return succeed(request, response, { to, message: 'E-mail verified!' })
  }
  if (verified !== null) return verifiedTo()
  // The owner opened a used link again: still a success, and if a mail scanner was first, only now a proof.
  // Any other invalid link is refused, even for verified accounts.
  const isOwnUsed =
    identity?.verified === true &&
    (await tokens.redeemedBy(token, Purposes.Verification)) === identity.id
  if (isOwnUsed) {
    const keep = session.digest
    if (keep !== null) {
      await credentials.proveMailbox(identity.id, async () => true, { keep, ...originOf(request) })
    }
    return verifiedTo()
  }
  const message = 'This verification link is invalid or has expired.'
  const to = isSignedIn ? '/account' : '/login'
  return refuse(request, response, { to, message, status: 403 })
}

function isPreview(request: Request): boolean {
  if (request.method === 'HEAD') return true
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) =>
    request.header(name),
  )
  return purposes.some(
    (purpose) => purpose !== undefined && /prefetch|preview|prerender/i.test(purpose),
  )
}

/** Sends the verification link again. */
export function resend({ users, mails, limits }: Accounts): Handler {
  return async (request, response) => {
    const identity = await users.find(request.identity?.id ?? '')
    if (identity === null) throw new HttpError(401)
    if (identity.verified) {
      const message = 'Your e-mail is already verified.'
      return refuse(request, response, { to: '/account', message, status: 403 })
    }
    await limits.verificationMails.spend(request, identity.email)
    mails.verify(request, identity)
    request.session.flash('mailed', true)
    const message = 'Verification link sent. Check your inbox.'
    return succeed(request, response, { to: '/account', message })
  }
}

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
