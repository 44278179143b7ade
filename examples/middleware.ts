// Custom middlewares: one measures the response time, one requires a key.
//
// GET /open        → 200 anyone
// GET /closed      → 403
import { HttpError, Server } from 'framework/http'
import type { MiddlewareFunction } from 'framework/http'

const timing: MiddlewareFunction = async (_request, response, next) => {
  const startMs = performance.now()
  await next()
  response.header('Server-Timing', `total;dur=${(performance.now() - startMs).toFixed(1)}`)
}

const keyed: MiddlewareFunction = (request, _response, next) => {
  if (request.header('x-key') === undefined) throw new HttpError(403, 'send X-Key')
  return next()
}

const server = new Server().configure({ port: Number(process.env['PORT'] ?? 8087) })
server.use(timing)
server.router.get('/open', () => 'anyone')
server.router.get('/closed', () => 'members', { middlewares: [keyed] })

const { host, port } = await server.listen()
process.stdout.write(`http://${host}:${port}\n`)
