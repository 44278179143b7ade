import { routeSet } from 'framework/http'
import type { Services } from '../services.ts'

export const Home = routeSet<Services>('Home', (router, { site }) => {
  router.get('/', (_request, response) => response.view('home', { site }), { name: 'home' })
})
