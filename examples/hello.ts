// The smallest server.
//
// GET /            → 200 Hello
// GET /users/42    → 200 {"id":42}
// GET /users/ada   → 404
import { Server } from 'framework/http'

const server = new Server().configure({ port: Number(process.env['PORT'] ?? 8087) })

server.router.get('/', () => 'Hello')
server.router.get('/users/:id<int>', (request) => ({ id: request.params.id }))

const { host, port } = await server.listen()
process.stdout.write(`http://${host}:${port}\n`)
