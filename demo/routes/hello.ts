import { routeSet } from 'framework/http'
import * as v from 'valibot'
import type { Services } from '../services.ts'

export const Hello = routeSet<Services>('Hello', (router, { greeter, accounts: { pages } }) => {
  // A plain return value is sent as JSON.
  router.get('/api/hello/:name', ({ params }) => ({ greeting: greeter.greet(params.name) }), {
    openapi: { summary: 'Greets somebody', responses: { 200: v.object({ greeting: v.string() }) } },
  })

  router.get(
    '/hello/:name',
    (request, response) => {
      const { name } = request.params
      return pages.show(request, response, 'hello', { name, greeting: greeter.greet(name) })
    },
    { name: 'hello' },
  )
})
