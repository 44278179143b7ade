import type { Handler } from 'framework/http'
import { leadTo, succeed } from '../../accounts/form-answers.ts'
import type { Services } from '../../services.ts'

/** Signs somebody out, and forgets the device. A guest is simply sent to sign in. */
export function logout({ signIn, visitors }: Services): Handler {
  return async (request, response) => {
    const wasSignedIn = await visitors.authenticate(request, response)
    await signIn.leave(request, response)
    if (!wasSignedIn) return leadTo(request, response, '/login')
    return succeed(request, response, { to: '/login', message: 'Signed out.' })
  }
}
