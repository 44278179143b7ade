// An access log, written from the event that ends every request.
//
// GET /            → 200 hello
// GET /log         → 200 ["GET / 200"]
import { Emitter } from 'framework/events'
import { RequestEvents, Server } from 'framework/http'

const lines: string[] = []
Emitter.Instance.listen(RequestEvents.Handled, (request, response) => {
  lines.push(`${request.method} ${request.path} ${response.code}`)
})

const server = new Server().configure({ port: Number(process.env['PORT'] ?? 8087) })
server.router.get('/', () => 'hello')
server.router.get('/log', () => lines)

const { host, port } = await server.listen()
process.stdout.write(`http://${host}:${port}\n`)
