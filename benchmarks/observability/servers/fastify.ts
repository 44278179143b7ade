import type { FastifyPluginCallback } from 'fastify'
import { ready } from '../../sessions/servers/contestant.ts'
import { bareWork, pageWork } from '../work.ts'
import { contestant, openOrders, untouched } from './contestant.ts'
import { registerStack, requestIds } from './fastify-stack.ts'

const { port, parts, folder } = contestant()
let around = untouched
const plugins: FastifyPluginCallback[] = []

// The SDK comes first, so that it can patch what is loaded later. Exporter, sampler and endpoint are
// those of the environment.
if (parts.has('otel')) {
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  const { FastifyOtelInstrumentation } = await import('@fastify/otel')
  const { HttpInstrumentation } = await import('@opentelemetry/instrumentation-http')
  const instrumentation = new FastifyOtelInstrumentation()
  const http = parts.has('http') ? [new HttpInstrumentation()] : []
  new NodeSDK({ instrumentations: [...http, instrumentation] }).start()
  plugins.push(instrumentation.plugin())
  const { inSpan } = await import('./statement-spans.ts')
  around = inSpan
}

const { fastify } = await import('fastify')
const hasStack = parts.has('stack')
const app = fastify({ http: { optimizeEmptyRequests: true }, ...(hasStack && requestIds) })
for (const plugin of plugins) await app.register(plugin)
if (hasStack) await registerStack(app)
if (parts.has('pino-http')) {
  const { pinoHttp } = await import('pino-http')
  const log = pinoHttp()
  app.addHook('onRequest', (request, reply, done) => {
    log(request.raw, reply.raw)
    done()
  })
}

if (parts.has('page')) {
  const { openItemsPage } = await import('./items-page.ts')
  const render = openItemsPage(folder, around)
  app.get(pageWork.path, (request, reply) => {
    if (hasStack) reply.header('x-request-id', request.id)
    reply.type('text/html; charset=utf-8').send(render())
  })
} else {
  const read = openOrders(around)
  // Response schemas are Fastify's own advice for speed: it then compiles the serialisers.
  const properties = {
    id: { type: 'integer' },
    item: { type: 'string' },
    total: { type: 'integer' },
  }
  const schema = { response: { 200: { type: 'object', properties } } }
  app.get<{ Params: { id: string } }>(bareWork.route, { schema }, (request, reply) => {
    reply.send(read(Number(request.params.id)))
  })
}

await app.listen({ host: '127.0.0.1', port })
ready()
