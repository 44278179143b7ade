// Two worker processes behind one port. `kill -USR2 <pid>` replaces them without losing a request.
//
// GET /            → 200 served
import { Server } from 'framework/http'

const server = new Server().configure({ port: Number(process.env['PORT'] ?? 8087), workers: 2 })

server.router.get('/', () => 'served')

const { host, port } = await server.listen()
if (process.env['FRAMEWORK_WORKER_SLOT'] === undefined)
  process.stdout.write(`http://${host}:${port}\n`)
