import { fastify } from 'fastify'
import { middlewareHeaders, Scenarios } from '../scenarios.ts'
import { contestant, ready } from './contestant.ts'

const { port, scenario, http } = contestant()
const app = fastify({ http })

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

await app.listen({ host: '127.0.0.1', port })
ready()

function answers(property: string): object {
  return {
    response: { 200: { type: 'object', properties: { [property]: { type: 'string' } } } },
  }
}
