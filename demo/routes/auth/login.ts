import { normalEmail } from 'framework/auth'
import { readFields, redirectTo, refuse, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'

/** Signs a visitor in. A failure does not reveal which half of the credentials was wrong. */
export function login({ users, signIn, limits }: Services): Handler {
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
    const to = await signIn.destination(request, '/account')
    return succeed(request, response, { to, message: 'Welcome back!' })
  }
}
