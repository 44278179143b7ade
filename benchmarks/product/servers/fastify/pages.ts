import { fastifyCookie } from '@fastify/cookie'
import fastifyCsrf from '@fastify/csrf-protection'
import { fastifySession } from '@fastify/session'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Contestant } from '../contestant.ts'
import type { PeerDatabase } from '../peer-database.ts'
import { verifyPassword } from '../peer-password.ts'
import { itemsView, readItemsPage } from '../shared/items-page.ts'
import { sessionRows, sessionSeconds } from '../shared/session-rows.ts'
import { RowSessions } from './row-sessions.ts'

declare module 'fastify' {
  interface Session {
    identity: number
  }
}

interface Entry {
  readonly email: string
  readonly password: string
}

const entrySchema = {
  type: 'object',
  required: ['email', 'password'],
  properties: { email: { type: 'string' }, password: { type: 'string' } },
}

function page(reply: FastifyReply, name: string, values: object): Promise<string> {
  return reply.viewAsync(name, { ...values, nonce: reply.cspNonce.script })
}

/** The list, which needs no session. */
export function itemsRoutes(database: PeerDatabase): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Querystring: { page?: string } }>('/items', async (request, reply) => {
      const list = await readItemsPage(database, request.query.page)
      return page(reply, 'items', itemsView(list))
    })
  }
}

/** The pages with a session. */
export function sessionRoutes(database: PeerDatabase, settings: Contestant): FastifyPluginAsync {
  return async (app) => {
    await app.register(fastifyCookie)
    await app.register(fastifySession, {
      secret: 'a secret of thirty-two characters',
      cookieName: 'session',
      cookie: { secure: false, httpOnly: true, sameSite: 'lax', maxAge: sessionSeconds * 1000 },
      // As its documentation has it for stores that need no write after every request.
      rolling: false,
      saveUninitialized: false,
      store: new RowSessions(sessionRows(settings, database)),
    })
    await app.register(fastifyCsrf, {
      sessionPlugin: '@fastify/session',
      getToken: ({ body }: FastifyRequest) => fieldOf(body, '_token'),
    })

    for (const name of ['contact', 'login']) {
      app.get(`/${name}`, async (_request, reply) =>
        page(reply, name, { token: reply.generateCsrf() }),
      )
    }

    app.get('/account', async (request, reply) => {
      const identity = request.session.get('identity')
      const member = identity === undefined ? null : await database.member(identity)
      if (member === null) return reply.redirect('/login', 303)
      return page(reply, 'account', { member })
    })

    app.post<{ Body: Entry }>(
      '/login',
      { schema: { body: entrySchema }, preHandler: (...args) => app.csrfProtection(...args) },
      async (request, reply) => {
        const { email, password } = request.body
        const member = await database.memberByEmail(email)
        if (member === null || !(await verifyPassword(member.password, password))) {
          return reply.redirect('/login', 303)
        }
        await request.session.regenerate()
        request.session.set('identity', member.id)
        return reply.redirect('/account', 303)
      },
    )
  }
}

function fieldOf(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null) return ''
  return String(Object.entries(body).find(([key]) => key === name)?.[1] ?? '')
}
