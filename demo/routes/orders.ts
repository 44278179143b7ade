import { sql } from 'framework/database'
import { HttpError, Problem, routeSet } from 'framework/http'
import * as v from 'valibot'
import type { Services } from '../services.ts'

/** There are not as many items as somebody wants. */
export class OutOfStock extends Problem<{ left: number }> {
  static override readonly type = 'tag:example.org,2026:out-of-stock'
  static override readonly title = 'Out of stock'
  static override readonly status = 409
  static override readonly members = v.object({ left: v.number() })
}

const Order = v.object({
  quantity: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
})

const Ordered = v.object({ item: v.string(), quantity: v.number(), left: v.number() })

/** Programs order items with an API token: declared input, a problem, and both in `/openapi`. */
export const Orders = routeSet<Services>('Orders', (router, services) => {
  const { database, items } = services
  const { bearer, programs } = services.accounts
  router.group(
    '/api/items',
    (group) => {
      group.post(
        '/:id<int>/orders',
        async ({ params: { id }, input: { body } }, response) => {
          const { quantity } = body
          // One statement: of two orders at the same time only one gets the last item.
          const { affected } = await database.run(
            sql`UPDATE items SET stock = stock - ${quantity} WHERE id = ${id} AND stock >= ${quantity}`,
          )
          const item = await items.find(id)
          if (item === null) throw new HttpError(404)
          const { name, stock: left } = item
          if (affected === 0) throw new OutOfStock(`Only ${left} of ${name} are left.`, { left })
          return response.status(201).json({ item: name, quantity, left })
        },
        {
          body: Order,
          problems: [OutOfStock],
          openapi: { summary: 'Orders an item', responses: { 201: Ordered } },
        },
      )
    },
    { errors: 'json', middlewares: [programs, bearer.scopes('items:order')] },
  )
})
