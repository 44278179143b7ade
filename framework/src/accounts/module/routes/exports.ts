import type { AccountsWith } from '../account-services.ts'
import { originOf, accountOf, byThisBrowser } from './this-browser.ts'
import { refuse, succeed } from '../../../http/input/form-responses.ts'
import type { Handler } from '../../../http/router/route.ts'

const page = '/account/export'

/** Shows the form that asks for a copy of the data, or the copy. */
export function showExport({ exports, pages }: AccountsWith<'exportJobs' | 'exports'>): Handler {
  return async (request, response) => {
    const copy = await exports.status(accountOf(request).id)
    return pages.show(request, response, 'accounts/export', { copy })
  }
}

/** Asks for a copy, which is made after the response; a mail says when it is ready. */
export function requestExport({
  exportJobs,
  exports,
  limits,
}: AccountsWith<'exportJobs' | 'exports'>): Handler {
  return async (request, response) => {
    const { id } = accountOf(request)
    await limits.exports.spend(request, id)
    if (!(await exports.request(id, byThisBrowser(request)))) {
      const message = 'Your data is being collected already.'
      return refuse(request, response, { to: page, message, status: 409 })
    }
    exportJobs.start(request)
    const isMailed = request.identity?.verified === true
    const message = isMailed
      ? 'We are collecting your data and will send you a mail when it is ready.'
      : 'We are collecting your data. Come back in a few minutes.'
    return succeed(request, response, { to: page, message })
  }
}

/** Sends the copy. */
export function downloadExport({
  clock,
  exports,
}: AccountsWith<'exportJobs' | 'exports'>): Handler {
  return async (request, response) => {
    const path = await exports.open(accountOf(request).id, originOf(request))
    if (path === null) {
      const message = 'There is nothing to download. Ask for a new copy.'
      return refuse(request, response, { to: page, message, status: 404 })
    }
    const download = `account-${new Date(clock() * 1000).toISOString().slice(0, 10)}.json`
    await response.file(path, { type: 'application/json', download })
    return response.header('Cache-Control', 'no-store')
  }
}
