import { afterEnrolment } from '../../guards/has-factor.ts'
import type { AccountsWith } from '../account-services.ts'
import { accountOf, byThisBrowser, keepThisBrowser } from './this-browser.ts'
import { qrSvg } from '../../../base/encoding/qr-svg.ts'
import { wantsJson } from '../../../http/errors/error-format.ts'
import { sendBack, succeed } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Request } from '../../../http/request/request.ts'
import type { Response } from '../../../http/response/response.ts'
import type { Handler } from '../../../http/router/route.ts'

type Parts = AccountsWith<'authenticator'>

const page = '/account/two-factor'

/** Shows whether codes are asked for, and the QR code of an app that is being added. */
export function showTwoFactor({ authenticator, pages }: Parts): Handler {
  return async (request, response) => {
    const account = accountOf(request)
    const status = await authenticator.status(account.id)
    const setup = await authenticator.pending(account)
    const label = request.t('QR code for your app')
    const qr = setup === null ? null : await qrSvg(setup.uri, { label })
    return pages.show(request, response, 'accounts/two-factor', { status, setup, qr })
  }
}

/** Creates the secret of an app, which counts once its first code was entered. */
export function beginTwoFactor({ authenticator }: Parts): Handler {
  return async (request, response) => {
    await authenticator.begin(accountOf(request), byThisBrowser(request))
    const message = 'Scan the code with your app, then enter the six digits it shows.'
    return succeed(request, response, { to: page, message })
  }
}

/** Forgets the secret of an app that was not added after all. */
export function cancelTwoFactor({ authenticator }: Parts): Handler {
  return async (request, response) => {
    await authenticator.cancel(accountOf(request).id, await keepThisBrowser(request))
    return succeed(request, response, { to: page, message: 'Cancelled. Nothing was changed.' })
  }
}

/** Turns the app on with its first code, and shows the recovery codes. */
export function enableTwoFactor(accounts: Parts): Handler {
  const { authenticator, confirmation, limits } = accounts
  return async (request, response) => {
    const { id } = accountOf(request)
    const fields = await readFields(request)
    const options = await keepThisBrowser(request)
    const codes = await limits.factorChecks.run(request, id, () =>
      authenticator.enable(id, fields['code'] ?? '', options),
    )
    if (codes === null) {
      const errors = { code: ['This code is not correct. Enter the one that your app shows now.'] }
      return sendBack(request, response, { to: page, errors, fields })
    }
    request.session.regenerate()
    // From now on the password is not enough to come back here; this code was.
    confirmation.remember(request, authenticator.name)
    return showCodes(accounts, request, response, codes)
  }
}

/** Replaces the recovery codes and shows the new ones. */
export function renewCodes(accounts: Parts): Handler {
  return async (request, response) => {
    const { id } = accountOf(request)
    const codes = await accounts.authenticator.renewCodes(id, byThisBrowser(request))
    if (codes === null) return response.redirect(page)
    return showCodes(accounts, request, response, codes)
  }
}

/** Turns the app off. */
export function disableTwoFactor({ authenticator }: Parts): Handler {
  return async (request, response) => {
    const { id } = accountOf(request)
    const isChanged = await authenticator.disable(id, await keepThisBrowser(request))
    if (isChanged) request.session.regenerate()
    const message = 'Codes are no longer asked for. Other devices were signed out.'
    return succeed(request, response, { to: page, message })
  }
}

// In the response itself rather than after a redirect: the codes are stored nowhere.
async function showCodes(
  { pages }: Parts,
  request: Request,
  response: Response,
  codes: readonly string[],
): Promise<Response> {
  response.header('Cache-Control', 'no-store')
  if (wantsJson(request)) return response.json({ codes })
  const next = await afterEnrolment(request, page)
  return pages.show(request, response, 'accounts/recovery-codes', { codes, next })
}
