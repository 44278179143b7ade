// One response, as JSON or as text, whichever the client prefers.
//
// GET /            → 200 {"name":"Ada","born":1815}
// GET /missing     → 404
import { Server } from 'framework/http'

const server = new Server().configure({ port: Number(process.env['PORT'] ?? 8087) })

server.router.get('/', (_request, response) =>
  response.negotiation.send({ name: 'Ada', born: 1815 }, { text: () => 'Ada, born 1815' }),
)

const { host, port } = await server.listen()
process.stdout.write(`http://${host}:${port}\n`)
