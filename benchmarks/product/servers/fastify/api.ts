import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyPluginAsync } from 'fastify'
import type { Member, PeerDatabase } from '../peer-database.ts'
import { readItemsPage } from '../shared/items-page.ts'
import { tokenDigest } from '../shared/token-digest.ts'

declare module 'fastify' {
  interface FastifyRequest {
    member: Member | null
  }
}

interface Note {
  readonly title: string
  readonly text: string
  readonly priority: number
}

const text = { type: 'string' }
const whole = { type: 'integer' }

// Schemas are Fastify's own advice: it compiles its validators and serialisers from them.
const itemsSchema = {
  response: {
    200: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: whole,
              name: text,
              category: text,
              price: text,
              stock: whole,
              createdAt: { type: 'string', format: 'date-time' },
            },
          },
        },
        page: whole,
        pages: whole,
        limit: whole,
        total: whole,
      },
    },
  },
}
const noteSchema = {
  body: {
    type: 'object',
    required: ['title', 'text', 'priority'],
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 100 },
      text: { type: 'string', maxLength: 2000 },
      priority: { type: 'integer', minimum: 1, maximum: 3 },
    },
  },
  response: {
    201: { type: 'object', properties: { id: whole, title: text, text, priority: whole } },
  },
}
const uploadSchema = {
  response: { 200: { type: 'object', properties: { name: text, size: whole } } },
}

/** The routes for programs, below `/api`. */
export function apiRoutes(database: PeerDatabase, folder: string): FastifyPluginAsync {
  return async (app) => {
    app.decorateRequest('member', null)
    app.addHook('onRequest', async (request) => {
      const { authorization = '' } = request.headers
      const digest = tokenDigest(authorization.replace(/^Bearer /, ''))
      request.member = await database.memberByToken(digest, Date.now())
      if (request.member === null) throw refusal(401, 'Unauthorized')
    })

    app.get<{ Querystring: { page?: string } }>('/items', { schema: itemsSchema }, ({ query }) =>
      readItemsPage(database, query.page),
    )

    app.post<{ Body: Note }>('/notes', { schema: noteSchema }, async (request, reply) => {
      const { title, text, priority } = request.body
      const userId = request.member?.id ?? 0
      const id = await database.addNote({ userId, title, text, priority })
      return reply.code(201).send({ id, title, text, priority })
    })

    app.post('/uploads', { schema: uploadSchema }, async (request) => {
      const part = await request.file()
      if (part === undefined) throw refusal(422, 'choose a file')
      const path = join(folder, 'uploads', randomUUID())
      const written = createWriteStream(path)
      await pipeline(part.file, written)
      await rm(path)
      return { name: part.filename, size: written.bytesWritten }
    })
  }
}

function refusal(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode })
}
