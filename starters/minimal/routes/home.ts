import { routeSet } from 'framework/http'

export const Home = routeSet('Home', (router) => {
  router.get('/', (_request, response) => response.view('home', { title: 'Starter' }))
})
