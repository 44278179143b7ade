import { normalEmail } from '../../email-address.ts'
import type { Accounts } from '../account-services.ts'
import { redirectTo, refuse, succeed } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Handler } from '../../../http/router/route.ts'

/** Signs a visitor in. A failure does not reveal which half of the credentials was wrong. */
export function login({ home, users, signIn, limits }: Accounts): Handler {
  return async (request, response) => {
    const fields = await readFields(request)
    const { email = '', password = '', remember = '' } = fields
    const { peer } = request
    const identity = await limits.signIns.run(request, normalEmail(email), () =>
      users.verify(email, password, { peer }),
    )
    if (identity === null) {
      signIn.refuse(request, email)
      const message = 'Invalid credentials.'
      return refuse(request, response, { to: '/login', message, status: 401, fields })
    }
    const outcome = await signIn.enter(request, response, identity, { remember: remember !== '' })
    if (outcome === 'pending') return redirectTo(request, response, '/login/factor')
    const to = await signIn.destination(request, home)
    return succeed(request, response, { to, message: 'Welcome back!' })
  }
}
