import * as v from 'valibot'
import { routeSet } from '../../../../../framework/dist/public/http.js'
import type { Services } from '../services.ts'

const Entry = v.object({ email: v.string(), password: v.string() })

export const Account = routeSet<Services>('Account', (router, { users, signIn, signedIn }) => {
  router.get('/account', ({ identity }, response) => response.view('account', { identity }), {
    middlewares: [signedIn],
  })
  router.get('/login', (_request, response) => response.view('login'))
  router.post(
    '/login',
    async (request, response) => {
      const { email, password } = request.input.body
      const identity = await users.verify(email, password, { peer: request.peer })
      if (identity === null) {
        signIn.refuse(request, email)
        return response.redirect('/login')
      }
      await signIn.enter(request, response, identity)
      return response.redirect(await signIn.destination(request, '/account'))
    },
    { body: Entry, form: '/login' },
  )
})
