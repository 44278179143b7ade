import { Purposes } from 'framework/auth'
import { refuse } from 'framework/http'
import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'
import { expiredReset } from './reset.ts'
import type { LinkParams } from './link.ts'
import { tokenOf } from './link.ts'

/** Shows the form behind the link in the reset mail. Opening it does not use up the link. */
export function showReset({ tokens, users, pages }: Services): Handler<LinkParams> {
  return async (request, response) => {
    const owner = await tokens.owner(tokenOf(request), Purposes.Recovery)
    const identity = owner === null ? null : await users.find(owner)
    if (identity === null) return refuse(request, response, expiredReset)
    return pages.show(request, response, 'reset', { email: identity.email })
  }
}
