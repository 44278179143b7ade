import { Purposes } from 'framework/auth'
import type { Handler, Request } from 'framework/http'
import { refuse, succeed } from '../../accounts/form-answers.ts'
import type { Services } from '../../services.ts'
import { tell } from './events.ts'
import type { LinkParams } from './link.ts'
import { tokenOf } from './link.ts'

/**
 * Seconds for which a used link is recognised. A receipt of it stays in the table of tokens, digests
 * only: no session could tell, since people open the link again in another browser or days later.
 */
const receipt = 2_592_000

/** The link of the verification mail. */
export function verify({ tokens, users, visitors }: Services): Handler<LinkParams> {
  return async (request, response) => {
    // Programs look at links before people do, and this one works once.
    if (isPreview(request)) return response.status(204).empty()
    const token = tokenOf(request)
    const redeemer = await tokens.redeem(token, Purposes.Verification, { receipt })
    const isSignedIn = await visitors.authenticate(request, response)
    const to = isSignedIn ? '/account' : '/login'
    if (redeemer !== null && (await users.confirm(redeemer))) {
      tell('Verified', request, redeemer)
      return succeed(request, response, { to, message: 'E-mail verified!' })
    }
    // Its owner opened it a second time, as people do: what it was for is done. Any other link that is
    // not good is refused, also to those who are verified.
    const { identity } = request
    const isOwnUsed =
      identity?.verified === true &&
      (await tokens.redeemedBy(token, Purposes.Verification)) === identity.id
    if (isOwnUsed) return succeed(request, response, { to, message: 'E-mail verified!' })
    const message = 'This verification link is invalid or has expired.'
    return refuse(request, response, { to, message, status: 403 })
  }
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
