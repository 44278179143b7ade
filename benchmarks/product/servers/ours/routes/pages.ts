import { routeSet } from '../../../../../framework/dist/public/http.js'
import { ItemList } from '../entities.ts'
import type { Services } from '../services.ts'

export const Pages = routeSet<Services>('Pages', (router, { items }) => {
  router.get(
    '/items',
    async ({ input }, response) => {
      const list = await response.database.list(items, input.query)
      return response.view('items', { list })
    },
    { query: ItemList },
  )
  router.get('/contact', (_request, response) => response.view('contact'))
})
