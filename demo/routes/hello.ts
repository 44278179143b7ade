import { routeSet } from 'framework/http'
import type { Services } from '../services.ts'

export const Hello = routeSet<Services>('Hello', (router, { greeter, pages }) => {
  // A plain return value is sent as JSON.
  router.get('/api/hello/:name', ({ params }) => ({ greeting: greeter.greet(params.name) }))

  router.get(
    '/hello/:name',
    (request, response) => {
      const { name } = request.params
      return pages.show(request, response, 'hello', { name, greeting: greeter.greet(name) })
    },
    { name: 'hello' },
  )
})
