import type { Handler, Request } from 'framework/http'
import { Purposes } from 'framework/security'
import { refuse, succeed } from '../../accounts/form-answers.ts'
import type { Services } from '../../services.ts'
import { tell } from './events.ts'
import type { LinkParams } from './link.ts'
import { tokenOf } from './link.ts'

/** The link of the verification mail. */
export function verify({ tokens, users, visitors }: Services): Handler<LinkParams> {
  return async (request, response) => {
    // Programs look at links before people do, and this one works once.
    if (isPreview(request)) return response.status(204).empty()
    const user = await tokens.redeem(tokenOf(request), Purposes.Verification)
    const isSignedIn = await visitors.authenticate(request)
    const to = isSignedIn ? '/account' : '/login'
    if (user !== null && (await users.confirm(user))) {
      tell('Verified', request, user)
      return succeed(request, response, { to, message: 'E-mail verified!' })
    }
    // Opened a second time, as people do: what it was for is done.
    if (request.identity?.verified === true) {
      return succeed(request, response, { to, message: 'E-mail verified!' })
    }
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
