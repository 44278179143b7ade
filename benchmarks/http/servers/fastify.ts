import { fastify } from 'fastify'
import { middlewareHeaders, Scenarios } from '../scenarios.ts'
import { contestant, ready } from './contestant.ts'

const { port, scenario, http } = contestant()
const app = fastify({ http })

const noteSchema = {
  type: 'object',
  required: ['title', 'text', 'stars', 'tags'],
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 200 },
    text: { type: 'string', maxLength: 10_000 },
    stars: { type: 'integer', minimum: 0, maximum: 5 },
    tags: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 30 } },
  },
}
const answersNote = {
  response: {
    200: { type: 'object', properties: { title: { type: 'string' }, tags: { type: 'integer' } } },
  },
}

if (scenario === Scenarios.Middlewares) {
  for (const name of middlewareHeaders) {
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header(name, '1')
      done()
    })
  }
}

// Response schemas are Fastify's own advice for speed: it then compiles the serialisers.
app.get('/json', { schema: answers('hello') }, (_request, reply) => {
  reply.send({ hello: 'world' })
})
app.get<{ Params: { id: string } }>('/users/:id', { schema: answers('id') }, (request, reply) => {
  reply.send({ id: request.params.id })
})
if (scenario === Scenarios.View) {
  const { renderList } = await import('./list-view.ts')
  app.get('/view', (_request, reply) => {
    reply.type('text/html; charset=utf-8').send(renderList())
  })
}

if (scenario === Scenarios.Input) {
  app.post<{ Body: { title: string; tags: string[] } }>(
    '/notes',
    { schema: { body: noteSchema, ...answersNote } },
    ({ body: { title, tags } }, reply) => {
      reply.send({ title, tags: tags.length })
    },
  )
}
await app.listen({ host: '127.0.0.1', port })
ready()

function answers(property: string): object {
  return {
    response: { 200: { type: 'object', properties: { [property]: { type: 'string' } } } },
  }
}
