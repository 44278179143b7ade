import type { AccountsWith } from '../account-services.ts'
import { originOf, accountOf, byThisBrowser, keepThisBrowser } from './this-browser.ts'
import { tokenOf } from './link.ts'
import type { LinkParams } from './link.ts'
import { refuse, succeed } from '../../../http/input/form-responses.ts'
import type { Handler } from '../../../http/router/route.ts'

type Deleting = AccountsWith<'deletion'>
type Exporting = AccountsWith<'exportJobs' | 'exports'>

const exportPage = '/account/export'
const kept = 'Your account stays. Nothing was deleted.'

/** Shows what deleting the account means, or when it happens. */
export function showDeletion({ deletion, deletionDays, pages }: Deleting): Handler {
  return async (request, response) => {
    const due = await deletion.due(accountOf(request).id)
    return pages.show(request, response, 'accounts/delete', { due, days: deletionDays })
  }
}

/** Sets the date on which the account is deleted, and signs out every other browser. */
export function requestDeletion({ mails, deletion }: Deleting): Handler {
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
export function cancelDeletion({ deletion }: Deleting): Handler {
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
export function showKeep({ deletion, pages }: Deleting): Handler<LinkParams> {
  return async (request, response) => {
    const found = await deletion.find(tokenOf(request))
    if (found === null) return refuse(request, response, invalid)
    return pages.show(request, response, 'accounts/keep', { due: found.due })
  }
}

/** Keeps the account of a link. */
export function keepAccount({ deletion, visitors }: Deleting): Handler<LinkParams> {
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

/** Shows the form that asks for a copy of the data, or the copy. */
export function showExport({ exports, pages }: Exporting): Handler {
  return async (request, response) => {
    const copy = await exports.status(accountOf(request).id)
    return pages.show(request, response, 'accounts/export', { copy })
  }
}

/** Asks for a copy, which is made after the response; a mail says when it is ready. */
export function requestExport({ exportJobs, exports, limits }: Exporting): Handler {
  return async (request, response) => {
    const { id } = accountOf(request)
    await limits.exports.spend(request, id)
    if (!(await exports.request(id, byThisBrowser(request)))) {
      const message = 'Your data is being collected already.'
      return refuse(request, response, { to: exportPage, message, status: 409 })
    }
    exportJobs.start(request)
    const isMailed = request.identity?.verified === true
    const message = isMailed
      ? 'We are collecting your data and will send you a mail when it is ready.'
      : 'We are collecting your data. Come back in a few minutes.'
    return succeed(request, response, { to: exportPage, message })
  }
}

/** Sends the copy. */
export function downloadExport({ clock, exports }: Exporting): Handler {
  return async (request, response) => {
    const key = await exports.open(accountOf(request).id, originOf(request))
    if (key === null) {
      const message = 'There is nothing to download. Ask for a new copy.'
      return refuse(request, response, { to: exportPage, message, status: 404 })
    }
    const download = `account-${new Date(clock() * 1000).toISOString().slice(0, 10)}.json`
    await response.stored(exports.files, key, { download })
    return response.header('Cache-Control', 'no-store')
  }
}
