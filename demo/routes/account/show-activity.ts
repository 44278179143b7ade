import { InvalidArgumentException } from 'framework'
import { HttpError } from 'framework/http'
import type { Handler } from 'framework/http'
import { describeActivity } from '../../accounts/describe-activity.ts'
import type { Services } from '../../services.ts'

/** Shows what happened to the account, newest first, a page at a time. */
export function showActivity({ activity, pages }: Services): Handler {
  return async (request, response) => {
    const { identity, query } = request
    if (identity === null) throw new HttpError(401)
    const cursor = query['cursor'] ?? null
    const list = await activity.list(identity.id, { cursor }).catch(ifMalformed)
    if (list === null) return response.redirect('/account/activity')
    const { rows, next } = list
    const events = rows.map((row) => describeActivity(row, identity.id))
    return pages.show(request, response, 'account/activity', { events, next })
  }
}

/** A cursor that somebody has typed starts again. */
function ifMalformed(error: unknown): null {
  if (error instanceof InvalidArgumentException) return null
  throw error
}
