import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { middlewareHeaders, Scenarios } from '../scenarios.ts'
import { contestant, ready } from './contestant.ts'

const { port, scenario, http } = contestant()
const app = new Hono()

if (scenario === Scenarios.Middlewares) {
  for (const name of middlewareHeaders) {
    app.use((context, next) => {
      context.header(name, '1')
      return next()
    })
  }
}

app.get('/json', (context) => context.json({ hello: 'world' }))
app.get('/users/:id', (context) => context.json({ id: context.req.param('id') }))
if (scenario === Scenarios.View) {
  const { renderList } = await import('./list-view.ts')
  app.get('/view', (context) => context.html(renderList()))
}

if (scenario === Scenarios.Input) {
  const { vValidator } = await import('@hono/valibot-validator')
  const { Note } = await import('./note-schema.ts')
  app.post('/notes', vValidator('json', Note), (context) => {
    const { title, tags } = context.req.valid('json')
    return context.json({ title, tags: tags.length })
  })
}

serve({ fetch: app.fetch, hostname: '127.0.0.1', port, serverOptions: http }, ready)
