import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'

/** Shows a form for guests; signed-in visitors are sent to their account. */
export function showForm({ pages, visitors }: Services, view: string): Handler {
  return async (request, response) => {
    if (await visitors.authenticate(request, response)) return response.redirect('/account')
    return pages.show(request, response, view, { sent: await request.session.flash('sent') })
  }
}
