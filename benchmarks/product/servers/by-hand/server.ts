import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { contestant, ready } from '../contestant.ts'
import { openPeerDatabase } from '../peer-database.ts'
import { apiRoutes } from './api.ts'
import { pageRoutes } from './pages.ts'
import { Failure, send, type Handler } from './responses.ts'
import { openSessions } from './sessions.ts'
import { openStatics } from './statics.ts'

// The product on `node:http` and the drivers alone, as fast as plain code gets in a day's work.
const options = contestant()
const { port, tls, folder } = options
const database = await openPeerDatabase(options.database, { isShared: true })
const sessions = await openSessions(database, options)
const statics = await openStatics(folder)
const routes: ReadonlyMap<string, Handler> = new Map([
  ...pageRoutes(database, sessions),
  ...apiRoutes(database, folder),
])

function handle(request: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET', url = '/' } = request
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  try {
    if (method === 'GET' && statics.serve(path, request, response)) return
    const route = routes.get(`${method} ${path}`)
    if (route === undefined) throw new Failure(404)
    route(request, response)?.catch((error: unknown) => fail(error, request, response))
  } catch (error) {
    fail(error, request, response)
  }
}

function fail(error: unknown, request: IncomingMessage, response: ServerResponse): void {
  const status = error instanceof Failure ? error.status : 500
  if (status === 500) console.error(error)
  if (response.headersSent) response.destroy()
  else send(request, response, { status, type: 'text/plain; charset=utf-8', body: `${status}` })
}

const settings = { optimizeEmptyRequests: true, keepAliveTimeout: 65_000 }
const server =
  tls === null ? createServer(settings, handle) : createTlsServer({ ...settings, ...tls }, handle)
server.listen(port, '127.0.0.1', ready)
