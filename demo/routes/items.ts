import { InvalidArgumentException } from 'framework'
import { routeSet } from 'framework/http'
import { itemChoices, itemsPath, readFilters, selectItems } from '../item-filters.ts'
import type { Services } from '../services.ts'

export const Items = routeSet<Services>('Items', (router, { items, pages }) => {
  router.get(
    '/items',
    async (request, response) => {
      if (request.header('accept')?.includes('text/html')) await pages.prepare(request, response)
      const filters = readFilters(request.query)
      const list = await response.database
        .paginate(items, selectItems(items, filters))
        .catch(invalidArgument)
      if (list instanceof InvalidArgumentException) {
        const { message } = list
        const start = itemsPath(filters, { cursor: '' })
        return response
          .status(400)
          .negotiation.send(
            { error: message },
            { view: 'invalid-cursor', data: { message, start } },
          )
      }
      const limit = String(list.limit)
      return response.negotiation.send(list, {
        view: 'items',
        data: {
          list,
          filters,
          choices: itemChoices,
          links: response.database.links,
          walking: Boolean(request.query['cursor']),
          byPage: itemsPath(filters, { limit }),
          byCursor: itemsPath(filters, { limit, cursor: '' }),
        },
      })
    },
    { name: 'items' },
  )
})

// An invalid cursor is the client's mistake, not a server error.
function invalidArgument(error: unknown): InvalidArgumentException {
  if (error instanceof InvalidArgumentException) return error
  throw error
}
