import { InvalidArgumentException } from 'framework'
import { routeSet } from 'framework/http'
import { itemChoices, ItemList } from '../item-list.ts'
import type { Services } from '../services.ts'
import { route } from './urls.ts'

export const Items = routeSet<Services>('Items', (router, { items, accounts: { pages } }) => {
  router.get(
    '/items',
    async (request, response) => {
      if (request.header('accept')?.includes('text/html')) await pages.prepare(request, response)
      const { query } = request.input
      const list = await response.database.list(items, query).catch(invalidArgument)
      if (list instanceof InvalidArgumentException) {
        const { message } = list
        const start = route('items', {}, { ...query.fields, cursor: '' })
        return response
          .status(400)
          .negotiation.send(
            { error: message },
            { view: 'invalid-cursor', data: { message, start } },
          )
      }
      return response.negotiation.send(list, {
        view: 'items',
        data: { list, query, choices: itemChoices },
      })
    },
    {
      name: 'items',
      query: ItemList,
      openapi: {
        summary: 'Lists items',
        description: 'By page, or with `cursor`, which is empty for the first one, by cursor.',
        responses: {
          200: ItemList.body,
          400: 'A parameter or the cursor is not valid.',
          406: 'It is JSON or HTML, and neither is accepted.',
        },
      },
    },
  )
})

// An invalid cursor is the client's mistake, not a server error.
function invalidArgument(error: unknown): InvalidArgumentException {
  if (error instanceof InvalidArgumentException) return error
  throw error
}
