import type { AccountsWith } from '../account-services.ts'
import { originOf, accountOf, byThisBrowser, keepThisBrowser } from './this-browser.ts'
import { tokenOf } from './link.ts'
import type { LinkParams } from './link.ts'
import { refuse, succeed } from '../../../http/input/form-responses.ts'
import type { Handler } from '../../../http/router/route.ts'

type Parts = AccountsWith<'deletion'>

const kept = 'Your account stays. Nothing was deleted.'

/** Shows what deleting the account means, or when it happens. */
export function showDeletion({ deletion, deletionDays, pages }: Parts): Handler {
  return async (request, response) => {
    const due = await deletion.due(accountOf(request).id)
    return pages.show(request, response, 'accounts/delete', { due, days: deletionDays })
  }
}

/** Sets the date on which the account is deleted, and signs out every other browser. */
export function requestDeletion({ mails, deletion }: Parts): Handler {
  return async (request, response) => {
    const { id } = accountOf(request)
    const token = await deletion.request(id, await keepThisBrowser(request))
    if (token === null) return response.redirect('/account/delete')
    request.session.regenerate()
    mails.deletion(request, id, token)
    const message = 'Your account will be deleted. Until then you can change your mind.'
    return succeed(request, response, { to: '/account', message })
  }
}

/** Keeps the account of a signed-in visitor. */
export function cancelDeletion({ deletion }: Parts): Handler {
  return async (request, response) => {
    await deletion.cancel(accountOf(request).id, byThisBrowser(request))
    return succeed(request, response, { to: '/account', message: kept })
  }
}

const invalid = {
  to: '/login',
  message: 'This link is invalid, or the account is deleted already.',
  status: 403,
} as const

/** Opens the link that keeps an account. It is used up by the button on its page. */
export function showKeep({ deletion, pages }: Parts): Handler<LinkParams> {
  return async (request, response) => {
    const found = await deletion.find(tokenOf(request))
    if (found === null) return refuse(request, response, invalid)
    return pages.show(request, response, 'accounts/keep', { due: found.due })
  }
}

/** Keeps the account of a link. */
export function keepAccount({ deletion, visitors }: Parts): Handler<LinkParams> {
  return async (request, response) => {
    const found = await deletion.find(tokenOf(request))
    // The link is enough: whoever has it need not be signed in.
    const by = { keep: null, ...originOf(request) }
    const isKept = found !== null && (await deletion.cancel(found.user, by))
    if (!isKept) return refuse(request, response, invalid)
    const to = (await visitors.authenticate(request, response)) ? '/account' : '/login'
    return succeed(request, response, { to, message: kept })
  }
}
