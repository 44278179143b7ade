import { routeSet } from 'framework/http'
import type { Services } from '../services.ts'

export const Home = routeSet<Services>('Home', (router, { accounts: { pages, signedIn } }) => {
  router.get('/', (request, response) => pages.show(request, response, 'home'))

  // Behind `signedIn` there is always somebody: guests are sent to sign in, and back.
  router.get('/members', (request, response) => pages.show(request, response, 'members'), {
    middlewares: [signedIn],
  })
})
