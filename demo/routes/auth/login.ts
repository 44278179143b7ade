import type { Handler } from 'framework/http'
import { fieldsOf, refuse, succeed } from '../../accounts/form-answers.ts'
import type { Services } from '../../services.ts'

/** Signs somebody in. Which half of the credentials was wrong is nobody's business. */
export function login({ users, signIn }: Services): Handler {
  return async (request, response) => {
    const fields = await fieldsOf(request)
    const { email = '', password = '', remember = '' } = fields
    const identity = await users.verify(email, password)
    if (identity === null) {
      signIn.refuse(request)
      const message = 'Invalid credentials.'
      return refuse(request, response, { to: '/login', message, status: 401, fields })
    }
    const to = await signIn.destination(request, '/account')
    await signIn.enter(request, response, identity, { remember: remember !== '' })
    return succeed(request, response, { to, message: 'Welcome back!' })
  }
}
