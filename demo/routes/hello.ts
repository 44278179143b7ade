import { routeSet } from 'framework/http'
import type { Services } from '../services.ts'

export const Hello = routeSet<Services>('Hello', (router, { greeter, site }) => {
  // A plain value that a handler gives back goes out as JSON.
  router.get('/api/hello/:name', ({ params }) => ({ greeting: greeter.greet(params.name) }))

  router.get(
    '/hello/:name',
    ({ params }, response) =>
      response.view('hello', { site, name: params.name, greeting: greeter.greet(params.name) }),
    { name: 'hello' },
  )
})
