import { routeSet } from 'framework/http'
import type { Services } from '../services.ts'

export const Home = routeSet<Services>('Home', (router, { accounts: { pages } }) => {
  router.get('/', (request, response) => pages.show(request, response, 'home'))
})
