import { createServer } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import { middlewareHeaders, Scenarios } from '../scenarios.ts'
import { contestant, ready } from './contestant.ts'

const { port, scenario, http } = contestant()
const app = new Koa()
const router = new Router()

if (scenario === Scenarios.Middlewares) {
  for (const name of middlewareHeaders) {
    app.use((context, next) => {
      context.set(name, '1')
      return next()
    })
  }
}

router.get('/json', (context) => {
  context.body = { hello: 'world' }
})
router.get('/users/:id', (context) => {
  context.body = { id: context.params['id'] }
})
if (scenario === Scenarios.View) {
  const { renderList } = await import('./list-view.ts')
  router.get('/view', (context) => {
    context.type = 'html'
    context.body = renderList()
  })
}

const answer = app.use(router.routes()).callback()
createServer(http, (request, response) => void answer(request, response)).listen(
  port,
  '127.0.0.1',
  ready,
)
