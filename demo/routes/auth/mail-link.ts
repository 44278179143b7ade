import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'
import { originOf } from './emit-auth-event.ts'
import type { LinkParams } from './link.ts'
import { tokenOf } from './link.ts'
import { enterByMail } from './mail-login.ts'

/**
 * Opens the link in the sign-in mail. It asks for a click in the browser that requested the mail, and any
 * other, such as that of a mail scanner, is told where to go. Opening it uses nothing up.
 */
export function openMailLink({ mailSignIn, pages, visitors }: Services): Handler<LinkParams> {
  return async (request, response) => {
    if (await visitors.authenticate(request, response)) return response.redirect('/account')
    const waiting = await mailSignIn.waiting(request.session)
    return pages.show(request, response, 'mail-link', { email: waiting?.email ?? null })
  }
}

/** Signs in after the click that `openMailLink` asked for. */
export function pressMailLink(services: Services): Handler<LinkParams> {
  const { mailSignIn } = services
  return (request, response) =>
    enterByMail(services, request, response, () =>
      mailSignIn.redeemLink(request.session, tokenOf(request), originOf(request)),
    )
}
