import { requireIdentity } from 'framework/auth'
import { routeSet } from 'framework/http'
import type { Request } from 'framework/http'
import * as v from 'valibot'
import type { Services } from '../services.ts'

const AccountBody = v.object({ id: v.string(), email: v.string(), verified: v.boolean() })

const PlacesBody = v.object({
  places: v.array(
    v.object({
      name: v.string(),
      peer: v.nullable(v.string()),
      used: v.number(),
      expires: v.nullable(v.number()),
    }),
  ),
})

/** What programs with an API token can do. */
export const Api = routeSet<Services>('Api', (router, { accounts }) => {
  const { bearer, programs } = accounts
  router.get('/api/account', (request) => accountOf(request), {
    middlewares: [programs, bearer.scopes('account:read')],
    openapi: { summary: 'Shows the account of the token', responses: { 200: AccountBody } },
  })

  router.get(
    '/api/places',
    async (request) => {
      const { id } = accountOf(request)
      const places = await accounts.places(id)
      return {
        places: places.map(({ name, peer, used, expires }) => ({ name, peer, used, expires })),
      }
    },
    {
      middlewares: [programs, bearer.scopes('places:read')],
      openapi: { summary: 'Lists where the account is signed in', responses: { 200: PlacesBody } },
    },
  )
})

function accountOf(request: Request): { id: string; email: string; verified: boolean } {
  const { id, email = '', verified = false } = requireIdentity(request)
  return { id, email, verified }
}
