import { createServer } from 'node:http'
import express from 'express'
import { middlewareHeaders, Scenarios } from '../scenarios.ts'
import { contestant, ready } from './contestant.ts'

const { port, scenario, http } = contestant()
const app = express()

if (scenario === Scenarios.Middlewares) {
  for (const name of middlewareHeaders) {
    app.use((_request, response, next) => {
      response.setHeader(name, '1')
      next()
    })
  }
}

app.get('/json', (_request, response) => {
  response.json({ hello: 'world' })
})
app.get('/users/:id', (request, response) => {
  response.json({ id: request.params.id })
})
if (scenario === Scenarios.View) {
  const { renderList } = await import('./list-view.ts')
  app.get('/view', (_request, response) => {
    response.type('html').send(renderList())
  })
}

createServer(http, app).listen(port, '127.0.0.1', ready)
