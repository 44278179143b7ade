import type { Accounts } from '../account-services.ts'
import type { Handler } from '../../../http/router/route.ts'

/** Shows a form for guests; signed-in visitors are sent to their account, half signed-in ones to go on. */
export function showForm(accounts: Accounts, view: string): Handler {
  const { pages, signIn, visitors } = accounts
  const sites = accounts.openId?.issuers.map(({ name, label }) => ({ name, label })) ?? []
  return async (request, response) => {
    if (await visitors.authenticate(request, response)) return response.redirect('/account')
    if (view === 'login' && (await signIn.pending(request)) !== null) {
      return response.redirect('/login/factor')
    }
    return pages.show(request, response, `accounts/${view}`, {
      sent: await request.session.flash('sent'),
      passkeys: accounts.passkeys?.isUsable ?? false,
      fields: accounts.fields?.form ?? [],
      sites,
    })
  }
}
