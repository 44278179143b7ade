import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'

/** Shows a form for guests; signed-in visitors are sent to their account, half signed-in ones to go on. */
export function showForm(services: Services, view: string): Handler {
  const { pages, signIn, visitors } = services
  const sites = services.openId?.issuers.map(({ name, label }) => ({ name, label })) ?? [] // part: oidc
  return async (request, response) => {
    if (await visitors.authenticate(request, response)) return response.redirect('/account')
    if (view === 'login' && (await signIn.pending(request)) !== null) {
      return response.redirect('/login/factor')
    }
    return pages.show(request, response, view, {
      sent: await request.session.flash('sent'),
      passkeys: services.passkeys.isUsable, // part: passkeys
      sites, // part: oidc
    })
  }
}
