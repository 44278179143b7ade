import { InvalidArgumentException } from 'framework'
import { routeSet } from 'framework/http'
import * as v from 'valibot'
import { ItemQuery, itemChoices, itemsPath, selectItems } from '../item-filters.ts'
import type { Services } from '../services.ts'

const ItemsBody = v.object({
  items: v.array(
    v.object({
      id: v.number(),
      name: v.string(),
      category: v.string(),
      price: v.string(),
      stock: v.number(),
      createdAt: v.pipe(v.string(), v.isoTimestamp()),
    }),
  ),
  limit: v.number(),
  page: v.optional(v.number()),
  pages: v.optional(v.number()),
  total: v.optional(v.number()),
  next: v.optional(v.nullable(v.string())),
})

export const Items = routeSet<Services>('Items', (router, { items, pages }) => {
  router.get(
    '/items',
    async (request, response) => {
      if (request.header('accept')?.includes('text/html')) await pages.prepare(request, response)
      const { limit: _limit, page: _page, cursor, ...filters } = request.input.query
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
          walking: cursor !== '',
          byPage: itemsPath(filters, { limit }),
          byCursor: itemsPath(filters, { limit, cursor: '' }),
        },
      })
    },
    {
      name: 'items',
      query: ItemQuery,
      openapi: {
        summary: 'Lists items',
        description: 'By page, or with `cursor`, which is empty for the first one, by cursor.',
        responses: {
          200: ItemsBody,
          400: 'The cursor is not valid.',
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
